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
    it(`has an example that violates ${rule.name}, and one that does not, and says how to fix it`, () => {
      const section = sections.find((each) => each.startsWith(rule.name)) ?? "";
      const examples = [...section.matchAll(/```json\n([^]*?)```/g)].map(([, json]) => {
        const stage = {
          ...{ environmentId: "stage", deploymentsToKeep: 3, webroot: "/var/www/stage" },
          databases: [{ name: "shop", databaseType: "MYSQL", allowedIP: "10.0.0.1" }],
          ...{
            initialized: { code: true, databases: true },
            deploymentTargetGroupIds: { databases: "7", code: "7" },
          },
        };
        const environment = JSON.parse(json!) as object;
        const live = { deploymentTargetGroupIds: stage.deploymentTargetGroupIds, ...environment };
        const project = {
          projectId: "p-1",
          name: "shop",
          status: "ACTIVE",
          environments: [stage, live],
        };
        const found = auditProject(
          { ...project, hasCode: true, hasAssets: false, hasDatabases: false },
          [rule],
        );
        return [...new Set(found.map(({ state }) => state))].join();
      });
      assert.deepEqual(examples, ["violated", ""]);
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
