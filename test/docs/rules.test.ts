import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { auditProject, builtInRules, recordedProjects } from "../../audit/policies.js";
import { projectSnapshotType } from "../../provider/snapshot/resources.js";
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
      const listed = [...line.matchAll(/`([^`]+)`/g)].map(([, field]) => field!);
      /** Fails if the rule reads a field that is missing, and not in `fields`. */
      const check = (fields: readonly string[]) => {
        for (const each of [
          {},
          { databases: [{ name: "a" }], branch: {}, initialized: { code: null } },
          { assetGroups: [], databases: [], webroot: "/var/www/a", initialized: {} },
        ]) {
          const environments = ["live", "stage"].map((environmentId) => ({
            environmentId,
            ...each,
          }));
          const props = { projectId: "p-1", name: "shop", environments, fields };
          for (const project of recordedProjects(projectSnapshotType, props)) {
            assert.ok(auditProject(project, [rule]).length > 0);
          }
        }
      };
      check(listed);
      // A snapshot always records the others.
      for (const field of listed.filter((each) => !each.startsWith("has"))) {
        const others = listed.filter((other) => other !== field);
        assert.throws(() => check(others), /reads .* but the snapshot of project p-1 omits/, field);
      }
    });
  }
});
