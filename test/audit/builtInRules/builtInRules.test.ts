import assert from "node:assert/strict";
import {
  auditProject,
  auditProjects,
  type Finding,
  builtInRules,
  formatFinding,
} from "../../../audit/policies.js";
import { withoutCredentials } from "../../../provider/wire/credentials.js";
import { mapProject } from "../../../provider/wire/mapping.js";
import type { SandboxEnvironment, SandboxProject } from "../../../sandbox/index.js";
import { mappedProject, setAt, wireProject } from "../../support/project.js";

/** Makes the environments live and stage of a project violate every rule. */
function makeBad(project: SandboxProject): void {
  project.projectEnvironments.splice(2);
  for (const environment of project.projectEnvironments) {
    const { projectEnvironmentCode: code, projectEnvironmentDatabases } = environment;
    code.branch.guarded = false;
    code.deploymentsToKeep = 1;
    code.webroot = "/tmp/x";
    code.initialized = null;
    projectEnvironmentDatabases.deploymentTargetGroupId = "shared";
    for (const database of projectEnvironmentDatabases.databases) {
      database.name = "shared";
      database.allowedIP = null;
    }
  }
}

const badProject = () => mappedProject(makeBad);

/** Returns the path of each field of an object that may be missing. */
function removablePaths(node: object, path: readonly string[] = []): string[][] {
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    const isRequired = Array.isArray(node) || ["_id", "name", "environmentId", "id"].includes(key);
    const inner = Object(value) === value ? removablePaths(value as object, [...path, key]) : [];
    return isRequired ? inner : [[...path, key], ...inner];
  });
}

describe("builtInRules", () => {
  it("find no violation less if any one field is missing, or say that they cannot decide", () => {
    const other = { ...badProject(), projectId: "p-2" };
    const found = (wire: object, states: readonly string[]) => {
      const project = mapProject(wire as never, withoutCredentials);
      const findings = auditProjects([project, other], builtInRules());
      const wanted = findings.filter(({ state }) => states.includes(state));
      return new Set(wanted.map(({ rule, projectId }) => `${rule} ${projectId}`));
    };
    const violations = [...found(wireProject(makeBad), ["violated"])];
    assert.equal(violations.length, 2 * builtInRules().length, "makeBad breaks every rule");
    for (const path of removablePaths(wireProject(makeBad))) {
      const lacking = wireProject(makeBad);
      setAt(lacking, path, undefined);
      const still = found(lacking, ["violated", "undecided"]);
      const lost = violations.filter((each) => !still.has(each));
      assert.deepEqual(lost, [], path.join("."));
    }
  });

  it("has findings with place, problem and remedy, and shows each text of the service on one line", () => {
    const hostile = mappedProject((project) => {
      const environment = project.projectEnvironments[0] as SandboxEnvironment;
      project.name = "shop\n::error::forged\u202e";
      environment.environmentId = "live\u001b[31m";
      environment.projectEnvironmentCode.webroot = `/tmp/${"x".repeat(500)}\u0000`;
    });
    const findings = auditProject(hostile, builtInRules());
    const webroot = findings.find(({ rule }) => rule === "webroot-location") as Finding;
    const place =
      "Project shop\\n:\\u003aerror:\\u003aforged\\u202e (p-1), environment live\\u001b[31m, ";
    assert.ok(formatFinding(webroot).startsWith(place), formatFinding(webroot));
    assert.match(
      formatFinding(webroot),
      /rule webroot-location: The webroot \/tmp\/x+… is not in an allowed folder/,
    );
    for (const finding of findings)
      assert.doesNotMatch(formatFinding(finding), /[\n\u0000\u001b\u202e]/);
  });

  for (const { name } of builtInRules()) {
    const key = name.replace(/-./g, (text) => text.slice(1).toUpperCase());
    it(`takes the environments and the level of ${key}, or leaves it out`, () => {
      const check = (options: object | false) => {
        const rules = builtInRules({ [key]: options }).filter((rule) => rule.name === name);
        return auditProjects([badProject()], rules);
      };
      const placesOf = (findings: Finding[]) =>
        new Set(findings.map(({ environmentId, state }) => `${environmentId} ${state}`));
      const both = check({ environments: ["live", "stage"], level: "note" });
      assert.deepEqual(placesOf(both), new Set(["live violated", "stage violated"]));
      assert.deepEqual(new Set(both.map(({ level }) => level)), new Set(["note"]));
      assert.deepEqual(placesOf(check({ environments: ["stage"] })), new Set(["stage violated"]));
      assert.deepEqual(check(false), []);
    });
  }
});
