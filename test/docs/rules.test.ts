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
