import assert from "node:assert/strict";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { houseRules } from "../../audit/policies.js";
import { useEngine } from "../support/engineTest.js";
import { assertHoldsNone } from "../support/leakSearch.js";
import type { Project } from "../support/workbench.js";
import { repository } from "../support/paths.js";

const program = `
import * as projectService from "pulumi-project-service";
new projectService.ProjectSnapshot("violating", { projectId: "p-1", includeCredentials: true });
`;
const cleanProgram = `
import * as projectService from "pulumi-project-service";
new projectService.ProjectSnapshot("clean", { projectId: "p-7" });
new projectService.ProjectsSnapshot("fleet", { filters: [{ key: "name", values: ["docs"] }] });
`;

const fleetProgram = `
import * as projectService from "pulumi-project-service";
new projectService.ProjectsSnapshot("fleet", { onInaccessible: "skip", includeCredentials: true });
new projectService.ProjectsSnapshot("partial", {
  filters: [{ key: "name", values: ["blog"] }],
  fields: ["environments.databases.allowedIP", "hasDatabases", "hasCode"],
});
`;

const spyPack = `
import { PolicyPack } from "@pulumi/policy";
import { auditedProjects, checkProject, defineRule, violated } from "pulumi-project-service/policies";

const rule = defineRule({
  name: "spy",
  description: "Says what it receives.",
  reason: "A test.",
  remedy: "None.",
  checkProject: (project) => [violated("The rule received " + JSON.stringify(project))],
});

new PolicyPack("spies", {
  policies: [{
    name: rule.name,
    description: rule.description,
    validateResource: ({ type, props }, report) => {
      for (const project of auditedProjects(type, props)) {
        const [{ password }] = props.credentials.databases.live;
        report("The pack received a password of " + password.length + " letters");
        for (const { message } of checkProject(project, [rule])) report(message);
      }
    },
  }],
});
`;

describe("the policy pack with the real engine", () => {
  const engine = useEngine({ sandboxFor: "suite" });
  let pack: string;
  before(async () => {
    pack = await copiedPack("policy-pack");
  });

  /** Copies the example into the workbench, which has its packages. Returns its folder. */
  async function copiedPack(name: string): Promise<string> {
    const directory = join(engine.workbench.directory, name);
    await cp(join(repository, "examples/policy-pack"), directory, { recursive: true });
    return directory;
  }

  /** Writes a policy config. Returns the options of the CLI that use it. */
  async function config(name: string, policies: object): Promise<string[]> {
    const file = join(engine.workbench.directory, `${name}.json`);
    await writeFile(file, JSON.stringify(policies));
    return ["--policy-pack", pack, "--policy-pack-config", file];
  }

  async function stack(name: string, text: string): Promise<Project> {
    const project = await engine.workbench.project(name, { program: text });
    await project.configure(engine.sandbox);
    return project;
  }

  it("fails a stack that violates a rule, and prints project, environment, rule and remedy", async () => {
    const project = await stack("policy-violating", program);
    const up = ["up", "--yes", "--skip-preview"];
    const { code, stdout, stderr } = await project.cli(...up, "--policy-pack", pack);
    const printed = stdout + stderr;
    assert.notEqual(code, 0, printed);
    assert.match(printed, /\[mandatory\] \[severity: high\] +restricted-databases/);
    assert.match(
      printed,
      /Project shop \(p-1\), environment stage, rule restricted-databases: The database shop_search_stage is not restricted by address\. Set allowedIP/,
    );
    assert.doesNotMatch(printed, /environment live/);
    assertHoldsNone("up", printed, engine.secrets());
    assert.doesNotMatch(await project.state(), /ProjectSnapshot/);
  });

  it("takes the options of a rule and its enforcement level from the policy config", async () => {
    const project = await stack("policy-config", program);
    const options = await config("policies", {
      "kept-deployments": { minimum: 99, enforcementLevel: "advisory" },
      "restricted-databases": { environments: ["live"] },
    });
    const { stdout, stderr } = await project.cli("preview", ...options);
    const printed = stdout + stderr;
    assert.match(
      printed,
      /\[advisory\].*kept-deployments[^]*The environment keeps \d deployments\. Set deploymentsToKeep to 99 or more/,
    );
    assert.doesNotMatch(printed, /restricted-databases/);
    assertHoldsNone("preview", printed, engine.secrets());
  });

  it("refuses a policy config with an unknown option, and names the policy and the option", async () => {
    const project = await stack("policy-wrong-config", program);
    const options = await config("wrong-policies", { "kept-deployments": { minimun: 5 } });
    const { code, stdout, stderr } = await project.cli("preview", ...options);
    const printed = stdout + stderr;
    assert.notEqual(code, 0, printed);
    assert.match(printed, /kept-deployments/);
    assert.match(printed, /minimun/);
    assertHoldsNone("preview", printed, engine.secrets());
  });

  it("gives the rules of a user no credential, although Pulumi decrypts it for the pack", async () => {
    const directory = await copiedPack("spy-pack");
    await writeFile(join(directory, "index.ts"), spyPack);
    const project = await stack("policy-spy", program);
    const { stdout, stderr } = await project.cli("preview", "--policy-pack", directory);
    const printed = stdout + stderr;
    const { password } = engine.liveDatabase();
    assert.match(printed, new RegExp(`The pack received a password of ${password.length} letters`));
    assert.match(printed, /The rule received {.*"name":"shop_live"/);
    assertHoldsNone("preview", printed, engine.secrets());
  });

  it("judges each project of a ProjectsSnapshot, the inaccessible ones, and fields that are not recorded", async () => {
    const project = await stack("policy-fleet", fleetProgram);
    engine.sandbox.forbiddenProjectIds.add("p-3");
    const { code, stdout, stderr } = await project.cli("preview", "--policy-pack", pack);
    engine.sandbox.forbiddenProjectIds.clear();
    const printed = stdout + stderr;
    assert.notEqual(code, 0, printed);
    assert.match(
      printed,
      /Project shop \(p-1\), environment stage, rule restricted-databases: The database shop_stage/,
    );
    const unread = printed.match(
      /Project p-3 \(p-3\), rule [\w-]+: The project could not be read/g,
    );
    assert.equal(unread?.length, houseRules().length);
    assert.match(
      printed,
      /Project blog \(p-2\), environment live, rule webroot-location: The rule cannot decide\. Missing: webroot\./,
    );
    assertHoldsNone("preview", printed, engine.secrets());
  });

  it("lets a stack without violations run", async () => {
    const project = await stack("policy-clean", cleanProgram);
    const { code, stdout, stderr } = await project.cli(
      ...["up", "--yes", "--skip-preview"],
      "--policy-pack",
      pack,
    );
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /Policies:/);
    assert.doesNotMatch(stdout, /mandatory|advisory/);
    assertHoldsNone("up", stdout + stderr, engine.secrets());
  });
});
