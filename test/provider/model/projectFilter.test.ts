import assert from "node:assert/strict";
import { inClear, mapProject } from "../../../provider/wire/mapping.js";
import {
  type ComparedValues,
  compileFilters,
  explainNoMatch,
  filterKeys,
  type ProjectFilter,
  scalarsAt,
} from "../../../provider/model/selection.js";
import { failureOf } from "../../support/failure.js";
import { setAt, wireProject } from "../../support/project.js";

/** The sandbox's shop as a result, with its credentials. */
function project(change?: Parameters<typeof wireProject>[0]) {
  return mapProject(wireProject(change) as never, inClear);
}

describe("filters that match no project", () => {
  function explanation(...filters: ProjectFilter[]): string | undefined {
    const compared: ComparedValues = new Map();
    const matches = compileFilters(filters, compared);
    const projects = ["shop", "blog"].map((name) => ({ name, status: "DEPLOYED" }));
    assert.ok(!projects.some(matches));
    return explainNoMatch(compared);
  }

  for (const [what, filters, expected] of [
    [
      "a value that occurs nowhere",
      [{ key: "status", values: ["ACTIVE"] }],
      'No project has "ACTIVE" in status. These exist: "DEPLOYED".',
    ],
    [
      "a value in another case of letters",
      [{ key: "status", values: ["deployed"] }],
      'No project has "deployed" in status. Did you mean "DEPLOYED"?',
    ],
    [
      "several values that occur nowhere",
      [{ key: "name", values: ["shopp", "bloog"] }],
      'No project has "shopp" or "bloog" in name. Did you mean "shop"? These exist: "shop", "blog".',
    ],
    [
      "a value that occurs in other projects only",
      [
        { key: "name", values: ["shop"] },
        { key: "status", values: ["ACTIVE"] },
      ],
      'No project that matches the filter of name has "ACTIVE" in status. These exist: "DEPLOYED".',
    ],
    [
      "a field that no project has",
      [{ key: "type", values: ["TYPO3"] }],
      "No project has a value in type.",
    ],
    [
      "values that occur, but not in one project",
      [{ key: "name", values: ["shop", "blog"], all: true }],
      undefined,
    ],
    ["a part of a text", [{ key: "name", values: ["hope"], matchBy: "substring" }], undefined],
  ] as [string, ProjectFilter[], string | undefined][]) {
    it(`explain ${what}`, () => assert.equal(explanation(...filters), expected));
  }

  it("name a similar value among more than ten, and only that", () => {
    const compared: ComparedValues = new Map();
    const matches = compileFilters([{ key: "name", values: ["shop 3"] }], compared);
    for (let index = 0; index < 11; index++) matches({ name: `shop-${index}` });
    assert.match(
      explainNoMatch(compared) ?? "",
      /^No project has "shop 3" in name\. Did you mean "shop-\d+"\?$/,
    );
  });
});

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
    ["a pattern that occurs in the text", { key: "name", values: ["h.p"], matchBy: "re" }, true],
    [
      "an anchored pattern that does not fit",
      { key: "name", values: ["^h"], matchBy: "re" },
      false,
    ],
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
    [
      "an element of a list for each value, with all",
      { key: "environments.environmentId", values: ["test", "live"], all: true },
      true,
    ],
    [
      "no element of a list for one value, with all",
      { key: "environments.environmentId", values: ["live", "dev"], all: true },
      false,
    ],
    [
      "one text that contains each value, with all",
      { key: "name", values: ["sh", "op"], matchBy: "substring", all: true },
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
    assert.equal(matchesBare({ key: "domain", values: [".*"], matchBy: "re" }), false);
    assert.equal(matchesBare({ key: "domain", values: ["undefined", "null", ""] }), false);
    assert.equal(matchesBare({ key: "codeRepository.group", values: ["retail"] }), false);
    assert.equal(
      matchesBare({ key: "environments.webroot", values: ["live"], matchBy: "re" }),
      false,
    );
    assert.equal(
      matchesBare({ key: "environments.webroot", values: ["stage"], matchBy: "re" }),
      true,
    );
  });

  it("needs only linear time for patterns that would never end in JavaScript", () => {
    const text = `${"a".repeat(100_000)}b`;
    const long = project((wire) => setAt(wire, ["domain"], text));
    for (const pattern of ["(a+)+$", "(a|aa)+$", "(a*)*c", "^(a?){50}a{50}$"]) {
      assert.equal(
        compileFilters([{ key: "domain", values: [pattern], matchBy: "re" }])(long),
        false,
      );
    }
  });

  it("has a key with the right kind for every scalar of a full project except credentials", () => {
    const found = new Map<string, string>();
    (function collect(node: unknown, path: string): void {
      if (Array.isArray(node)) return node.forEach((element) => collect(element, path));
      if (typeof node === "object" && node !== null) {
        for (const [key, value] of Object.entries(node)) {
          collect(value, path === "" ? key : `${path}.${key}`);
        }
      } else if (node !== null && node !== undefined) found.set(path, typeof node);
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
    assert.deepEqual(Object.fromEntries([...found].sort()), sortedByKey(filterKeys));
    for (const key of Object.keys(filterKeys)) {
      assert.ok(scalarsAt(shop, key.split(".")).length > 0, key);
    }
  });

  for (const [what, filter, message] of [
    [
      "a broken pattern",
      { key: "name", values: ["a", "(s3cret"], matchBy: "re" },
      /values\[1\] is not a regular expression in RE2 syntax \(missing closing .*RE2 has no lookahead, lookbehind/,
    ],
    [
      "a pattern that needs to backtrack",
      { key: "name", values: ["(a)\\1"], matchBy: "re" },
      /invalid escape/,
    ],
    [
      "an empty substring",
      { key: "name", values: [""], matchBy: "substring" },
      /must be a non-empty string if matchBy is substring/,
    ],
    [
      "a number as pattern",
      { key: "environments.order", values: [1], matchBy: "re" },
      /must be a non-empty string if matchBy is re/,
    ],
    [
      "a number for a text",
      { key: "name", values: [7] },
      /must be a string, because the field name is a string/,
    ],
    ["a text for a number", { key: "environments.order", values: ["03"] }, /must be a number/],
    ["NaN", { key: "environments.order", values: [NaN] }, /must be a number/],
    [
      "a text for a boolean",
      { key: "hasCode", values: ["yes"] },
      /must be a boolean, because the field hasCode is a boolean/,
    ],
  ] as [string, ProjectFilter, RegExp][]) {
    it(`rejects ${what}, without quoting it`, async () => {
      const error = await failureOf(() => compileFilters([filter]), "ARGUMENT_INVALID");
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /s3cret/);
    });
  }
});

function sortedByKey(kinds: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(kinds).sort());
}
