import assert from "node:assert/strict";
import { keepCredentials } from "../../../provider/wire/credentials.js";
import { mapProject } from "../../../provider/wire/mapping.js";
import {
  compileFilters,
  FilterValues,
  isComparable,
  type ProjectFilter,
  textsAt,
} from "../../../provider/model/projectFilter.js";
import { pathsOf, projectFields } from "../../../provider/model/projectFields.js";
import { failureOf } from "../../support/failure.js";
import { mappedProject, wireProject } from "../../support/project.js";

describe("a filter", () => {
  const shop = mapProject(wireProject(), keepCredentials);
  shop.missingFields.push("status");
  shop.environments[0]?.missingFields.push("branch.guarded");
  const matches = (...filters: ProjectFilter[]): boolean =>
    compileFilters(filters).every((each) => each.matches(shop));

  for (const [what, filter, expected] of [
    ["the whole value", { key: "name", values: ["blog", "shop"] }, true],
    ["another value", { key: "name", values: ["blog"] }, false],
    ["another case of letters", { key: "name", values: ["Shop"] }, false],
    ["a boolean", { key: "hasCode", values: [true] }, true],
    ["a number as text", { key: "environments.deploymentsToKeep", values: ["3"] }, true],
    ["a substring", { key: "name", values: ["ho"], matchBy: "substring" }, true],
    ["a pattern as substring", { key: "name", values: [".*"], matchBy: "substring" }, false],
    ["one element of a list", { key: "environments.branch.name", values: ["release"] }, true],
    [
      "one element of a list of texts",
      { key: "environments.missingFields", values: ["branch.guarded"] },
      true,
    ],
    [
      "one element of a list of lists",
      { key: "environments.databases.name", values: ["shop_live"] },
      true,
    ],
  ] as [string, ProjectFilter, boolean][]) {
    it(`${expected ? "matches" : "does not match"}: ${what}`, () => {
      assert.equal(matches(filter), expected);
    });
  }

  it("selects a project only if all other filters match it too", () => {
    const name: ProjectFilter = { key: "name", values: ["shop"] };
    const type: ProjectFilter = { key: "type", values: ["TYPO3"] };
    assert.equal(matches(name), true);
    assert.equal(matches(name, type), false);
    assert.equal(matches(), true);
  });

  it("has keys that lead to values of a full project", () => {
    for (const key of pathsOf(projectFields, isComparable)) {
      assert.ok(textsAt(shop, key).length > 0, key);
    }
  });
});

function valuesOf(filter: ProjectFilter): FilterValues {
  const values = new FilterValues([filter]);
  values.add(mappedProject());
  return values;
}

describe("the values of filters", () => {
  it("refuse an exact value that differs only in case", async () => {
    for (const key of ["name", "codeRepository.group", "environments.branch.name"] as const) {
      const shop = key === "name" ? "shop" : key === "codeRepository.group" ? "retail" : "main";
      const filter = { key, values: [shop.toUpperCase()] };
      const check = (values = valuesOf(filter)) => values.checkSpelling();
      const { message } = await failureOf(() => check(), "ARGUMENT_INVALID");
      assert.match(message, new RegExp(`${key} "${shop.toUpperCase()}".*"${shop}"`));
      check(valuesOf({ ...filter, matchBy: "substring" }));
      check(valuesOf({ ...filter, values: [shop.toUpperCase(), shop] }));
      check(valuesOf({ ...filter, values: ["other"] }));
    }
  });
});
