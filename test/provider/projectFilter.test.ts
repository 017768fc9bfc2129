import assert from "node:assert/strict";
import { mapProject } from "../../provider/mapping.js";
import { type ProjectFilter, testOf } from "../../provider/projectFilter.js";
import { filterKeys, scalarsAt } from "../../provider/projectKeys.js";
import { failureOf } from "../support/failure.js";
import { setAt, wireProject } from "../support/project.js";

/** The sandbox's shop as a result, with its credentials. */
function project(change?: Parameters<typeof wireProject>[0]) {
  return mapProject(wireProject(change) as never, {
    repository: (facts, importRepository) => ({ ...facts, importRepository }),
    database: (facts, credentials) => ({ ...facts, ...credentials }),
  });
}

describe("a filter", () => {
  const shop = project();
  const passes = (...filters: ProjectFilter[]): boolean => testOf(filters)(shop);

  for (const [what, filter, expected] of [
    ["one of its values", { key: "name", values: ["blog", "shop"] }, true],
    ["none of its values", { key: "name", values: ["blog"] }, false],
    ["a part of its value", { key: "name", values: ["shop-2"] }, false],
    ["another case", { key: "name", values: ["Shop"] }, false],
    ["a boolean", { key: "hasCode", values: [true] }, true],
    ["a boolean as text", { key: "hasCode", values: ["false"] }, false],
    ["a number as text", { key: "environments.deploymentsToKeep", values: ["3"] }, true],
    ["a substring", { key: "name", values: ["ho"], matchBy: "substring" }, true],
    ["no substring", { key: "name", values: [".*"], matchBy: "substring" }, false],
    ["a pattern found within", { key: "name", values: ["h.p"], matchBy: "re" }, true],
    ["an anchored pattern", { key: "name", values: ["^h"], matchBy: "re" }, false],
    ["one of a list", { key: "environments.branch.name", values: ["release"] }, true],
    ["one of a list of lists", { key: "environments.databases.name", values: ["shop_live"] }, true],
    [
      "each value by one of a list",
      { key: "environments.environmentId", values: ["test", "live"], all: true },
      true,
    ],
    [
      "a value by none of a list",
      { key: "environments.environmentId", values: ["live", "dev"], all: true },
      false,
    ],
    [
      "all parts of one text",
      { key: "name", values: ["sh", "op"], matchBy: "substring", all: true },
      true,
    ],
  ] as [string, ProjectFilter, boolean][]) {
    it(`${expected ? "lets pass" : "stops"} what has ${what}`, () => {
      assert.equal(passes(filter), expected);
    });
  }

  it("is one of several, which all have to let a project pass", () => {
    const name: ProjectFilter = { key: "name", values: ["shop"] };
    const type: ProjectFilter = { key: "type", values: ["TYPO3"] };
    assert.equal(passes(name), true);
    assert.equal(passes(name, type), false);
    assert.equal(passes(), true);
  });

  it("stops what lacks the fact, whatever the values", () => {
    const bare = project((wire) => {
      setAt(wire, ["domain"], null);
      setAt(wire, ["codeRepository"], undefined);
      setAt(wire, ["projectEnvironments", 0, "projectEnvironmentCode"], null);
    });
    const test = (filter: ProjectFilter) => testOf([filter])(bare);
    assert.equal(test({ key: "domain", values: [".*"], matchBy: "re" }), false);
    assert.equal(test({ key: "domain", values: ["undefined", "null", ""] }), false);
    assert.equal(test({ key: "codeRepository.group", values: ["retail"] }), false);
    assert.equal(test({ key: "environments.webroot", values: ["live"], matchBy: "re" }), false);
    assert.equal(test({ key: "environments.webroot", values: ["stage"], matchBy: "re" }), true);
  });

  it("takes patterns in linear time that would keep JavaScript busy for good", () => {
    const text = `${"a".repeat(100_000)}b`;
    const long = project((wire) => setAt(wire, ["domain"], text));
    for (const pattern of ["(a+)+$", "(a|aa)+$", "(a*)*c", "^(a?){50}a{50}$"]) {
      assert.equal(testOf([{ key: "domain", values: [pattern], matchBy: "re" }])(long), false);
    }
  });

  it("has keys for every scalar of a full project but credentials, with the kind it is of", () => {
    const found = new Map<string, string>();
    (function walk(node: unknown, path: string): void {
      if (Array.isArray(node)) return node.forEach((element) => walk(element, path));
      if (typeof node === "object" && node !== null) {
        for (const [key, value] of Object.entries(node)) {
          walk(value, path === "" ? key : `${path}.${key}`);
        }
      } else if (node !== null && node !== undefined) found.set(path, typeof node);
    })(shop, "");
    for (const secretOrOpaque of [
      "codeRepository.importRepository.url",
      "environments.databases.username",
      "environments.databases.password",
      "environments.databases.allowedIP",
      "environments.initialized.code",
      "environments.initialized.assets",
      "environments.latestDeploymentPaths",
      "environments.importBranchOrTag",
    ]) {
      found.delete(secretOrOpaque);
    }
    assert.deepEqual(Object.fromEntries([...found].sort()), sortedByKey(filterKeys));
    for (const key of Object.keys(filterKeys)) {
      assert.ok(scalarsAt(shop, key.split(".")).length > 0, key);
    }
  });

  for (const [what, filter, message] of [
    [
      "a broken pattern",
      { key: "name", values: ["a", "(s3cret"], matchBy: "re" },
      /values\[1\] is no regular expression in RE2 syntax: missing closing/,
    ],
    [
      "a pattern that needs to backtrack",
      { key: "name", values: ["(a)\\1"], matchBy: "re" },
      /invalid escape/,
    ],
    ["an empty substring", { key: "name", values: [""], matchBy: "substring" }, /not empty/],
    ["a number as pattern", { key: "environments.order", values: [1], matchBy: "re" }, /string/],
    ["a number for a text", { key: "name", values: [7] }, /must be a string, as name is/],
    ["a text for a number", { key: "environments.order", values: ["03"] }, /must be a number/],
    ["NaN", { key: "environments.order", values: [NaN] }, /must be a number/],
    ["a text for a boolean", { key: "hasCode", values: ["yes"] }, /must be a boolean/],
  ] as [string, ProjectFilter, RegExp][]) {
    it(`refuses ${what}, without quoting it`, async () => {
      const error = await failureOf(() => testOf([filter]), "ARGUMENT_INVALID");
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /s3cret/);
    });
  }
});

function sortedByKey(kinds: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(kinds).sort());
}
