import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { auditProject, builtInRules } from "../../audit/policies.js";
import { repository } from "../support/paths.js";

describe("docs/rules.md", () => {
  const document = readFileSync(join(repository, "docs/rules.md"), "utf8");
  const sections = document.split(/^## /m).slice(1);

  it("has a section for each built-in rule, in their order", () => {
    const names = sections.map((section) => section.split("\n")[0]);
    assert.deepEqual(
      names,
      builtInRules().map(({ name }) => name),
    );
  });

  for (const rule of builtInRules()) {
    it(`says why ${rule.name} matters, and how to fix a violation`, () => {
      const section = sections.find((each) => each.startsWith(rule.name)) ?? "";
      assert.ok(section.includes("**Why:** ") && section.includes("**How to fix:** "));
    });

    it(`lists the fields that ${rule.name} reads`, () => {
      const section = sections.find((each) => each.startsWith(rule.name)) ?? "";
      const [, line = ""] = /^\*\*Reads:\*\* ([^;\n]*)/m.exec(section) ?? [];
      const listed = [...line.matchAll(/`(?:environments\.)?([^`]+)`/g)].map(([, field]) => field!);
      const missing = [
        {},
        { databases: [{ name: "a" }], branch: {}, initialized: { code: null } },
        { assetGroups: [], databases: [], webroot: "/var/www/a", initialized: {} },
      ].flatMap((each) => {
        const environments = ["live", "stage"].map((environmentId) => ({ environmentId, ...each }));
        return auditProject({ projectId: "p-1", name: "shop", environments }, [rule]);
      });
      const subjects = missing.flatMap(({ subject }) =>
        subject.replace("missing ", "").split(", "),
      );
      const read = subjects.map((path) => path.replace(/^environments\[\w+\]\.|\[\w+\]/g, ""));
      const isPart = (path: string, field: string) => `${path}.`.startsWith(`${field}.`);
      const unlisted = read.filter((path) => !listed.some((field) => isPart(path, field)));
      const unread = listed.filter((field) => !read.some((path) => isPart(path, field)));
      assert.deepEqual({ unlisted, unread }, { unlisted: [], unread: [] });
    });
  }
});
