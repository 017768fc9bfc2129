import assert from "node:assert/strict";
import { inClear } from "../../../provider/wire/credentials.js";
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
import { mappedProject, setAt, wireProject } from "../../support/project.js";

/** The sandbox's shop as a result, with its credentials. */
function project(change?: Parameters<typeof wireProject>[0]) {
  return mapProject(wireProject(change) as never, inClear);
}

describe("a filter", () => {
  const shop = project();
  shop.missingFields.push("status");
  shop.environments[0]?.missingFields.push("branch.guarded");
  const matches = (...filters: ProjectFilter[]): boolean => compileFilters(filters)(shop);

  for (const [what, filter, expected] of [
    ["the whole value", { key: "name", values: ["blog", "shop"] }, true],
    ["another value", { key: "name", values: ["blog"] }, false],
    ["only a longer text", { key: "name", values: ["shop-2"] }, false],
    ["another case of letters", { key: "name", values: ["Shop"] }, false],
    ["a boolean", { key: "hasCode", values: [true] }, true],
    ["another boolean as text", { key: "hasCode", values: ["false"] }, false],
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

  it("never matches a project without the field", () => {
    const bare = project((wire) => {
      setAt(wire, ["domain"], null);
      setAt(wire, ["codeRepository"], undefined);
      setAt(wire, ["projectEnvironments", 0, "projectEnvironmentCode"], null);
    });
    const matchesBare = (filter: ProjectFilter) => compileFilters([filter])(bare);
    assert.equal(matchesBare({ key: "domain", values: ["undefined", "null", ""] }), false);
    assert.equal(matchesBare({ key: "codeRepository.group", values: ["retail"] }), false);
    assert.equal(
      matchesBare({ key: "environments.webroot", values: ["live"], matchBy: "substring" }),
      false,
    );
    assert.equal(
      matchesBare({ key: "environments.webroot", values: ["stage"], matchBy: "substring" }),
      true,
    );
  });

  it("has a key for every scalar of a full project except credentials", () => {
    const found = new Set<string>();
    (function collect(node: unknown, path: string): void {
      if (Array.isArray(node)) return node.forEach((element) => collect(element, path));
      if (typeof node === "object" && node !== null) {
        for (const [key, value] of Object.entries(node)) {
          collect(value, path === "" ? key : `${path}.${key}`);
        }
      } else if (node !== null && node !== undefined) found.add(path);
    })(shop, "");
    for (const withoutKey of [
      "codeRepository.importRepository.url",
      "environments.databases.username",
      "environments.databases.password",
      "environments.databases.allowedIP",
      "environments.initialized.code",
      "environments.initialized.assets",
      "environments.latestDeploymentPaths",
      "environments.importBranchOrTag",
    ]) {
      found.delete(withoutKey);
    }
    const keys = pathsOf(projectFields, isComparable);
    assert.deepEqual([...found].sort(), [...keys].sort());
    for (const key of keys) {
      assert.ok(textsAt(shop, key).length > 0, key);
    }
  });
});

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
