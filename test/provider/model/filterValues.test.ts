import assert from "node:assert/strict";
import { FilterValues } from "../../../provider/model/filterValues.js";
import type { ProjectFilter } from "../../../provider/model/projectFilter.js";
import { failureOf } from "../../support/failure.js";
import { mappedProject } from "../../support/project.js";

function valuesOf(filter: ProjectFilter, isSecret = false): FilterValues {
  const values = new FilterValues([filter], isSecret);
  values.add(mappedProject());
  return values;
}

describe("the values of filters", () => {
  it("refuse an exact value that exists in other letters only", async () => {
    for (const key of ["name", "codeRepository.group", "environments.branch.name"] as const) {
      const shop = key === "name" ? "shop" : key === "codeRepository.group" ? "retail" : "main";
      const filter = { key, values: [shop.toUpperCase()] };
      const check = (values = valuesOf(filter)) => values.checkSpelling();
      const { message } = await failureOf(() => check(), "ARGUMENT_INVALID");
      assert.match(message, new RegExp(`${shop.toUpperCase()} of the filter ${key}.* ${shop}\\.`));
      const secret = await failureOf(() => check(valuesOf(filter, true)), "ARGUMENT_INVALID");
      assert.doesNotMatch(secret.message, new RegExp(shop, "i"));
      check(valuesOf({ ...filter, matchBy: "substring" }));
      check(valuesOf({ ...filter, values: [shop.toUpperCase(), shop] }));
      check(valuesOf({ ...filter, values: ["other"] }));
    }
  });

  it("are named if a filter matches none of them, unless it is secret", () => {
    const filter = { key: "environments.environmentId", values: ["prod"] } as const;
    const missing = { ...filter, values: ["prod"] };
    assert.equal(
      valuesOf(missing).existing(),
      " The values of environments.environmentId are live, stage, test.",
    );
    assert.equal(valuesOf(missing, true).existing(), "");
    assert.equal(valuesOf({ ...missing, values: ["live"] }).existing(), "");
  });
});
