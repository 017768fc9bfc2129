import assert from "node:assert/strict";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { houseRules } from "../../audit/policies.js";
import { useEngine } from "../support/engineTest.js";
import { assertHoldsNone } from "../support/leakSearch.js";
import { repository } from "../support/paths.js";

const shopProgram = `
import * as projectService from "pulumi-project-service";
new projectService.ProjectSnapshot("violating", { projectId: "p-1", includeCredentials: true });
`;
const violatingProgram = `${shopProgram}
new projectService.ProjectsSnapshot("fleet", { onInaccessible: "skip", includeCredentials: true });
new projectService.ProjectsSnapshot("partial", {
  filters: [{ key: "name", values: ["blog"] }],
  fields: ["environments.databases.allowedIP", "hasDatabases", "hasCode"],
});
`;
const cleanProgram = `
import * as projectService from "pulumi-project-service";
new projectService.ProjectSnapshot("clean", { projectId: "p-7" });
new projectService.ProjectsSnapshot("fleet", { filters: [{ key: "name", values: ["docs"] }] });
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
      if (!type.endsWith(":ProjectSnapshot")) return;
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

  /** Runs a command for a program, with policy packs. Searches what it prints for secrets. */
  async function run(program: string, ...args: string[]) {
    const project = await engine.workbench.project(`policy-${++stacks}`, { program });
    await project.configure(engine.sandbox);
    const { code, stdout, stderr } = await project.cli(...args);
    const printed = stdout + stderr;
    assertHoldsNone(args.join(" "), printed, engine.secrets());
    return { code, printed };
  }
  let stacks = 0;

  it("fails a stack that violates a rule, and gives the rules of a user no credential, although Pulumi decrypts it for the pack", async () => {
    const spies = await copiedPack("spy-pack");
    await writeFile(join(spies, "index.ts"), spyPack);
    engine.sandbox.forbiddenProjectIds.add("p-3");
    const packs = ["--policy-pack", pack, "--policy-pack", spies];
    const { code, printed } = await run(violatingProgram, "preview", ...packs);
    engine.sandbox.forbiddenProjectIds.clear();
    assert.notEqual(code, 0, printed);
    assert.match(printed, /\[mandatory\] \[severity: high\] +restricted-databases/);
    for (const message of [
      /Project shop \(p-1\), environment stage, rule restricted-databases: The database shop_search_stage is not restricted by address\. Set allowedIP/,
      // The snapshot of this project records other fields than the webroot.
      /Project blog \(p-2\), environment live, rule webroot-location: The rule cannot decide\. Missing: webroot\./,
    ]) {
      assert.match(printed, message);
    }
    assert.doesNotMatch(printed, /Project shop \(p-1\), environment live/);
    const unread = printed.match(
      /Project p-3 \(p-3\), rule [\w-]+: The project could not be read/g,
    );
    assert.equal(unread?.length, houseRules().length);

    const { password } = engine.liveDatabase();
    assert.match(printed, new RegExp(`The pack received a password of ${password.length} letters`));
    assert.match(printed, /The rule received {.*"name":"shop_live"/);
  });

  it("takes the options of a rule and its enforcement level from the policy config", async () => {
    const options = await config("policies", {
      "kept-deployments": { minimum: 99, enforcementLevel: "advisory" },
      "restricted-databases": { environments: ["live"] },
    });
    const { printed } = await run(shopProgram, "preview", ...options);
    assert.match(
      printed,
      /\[advisory\].*kept-deployments[^]*The environment keeps \d deployments\. Set deploymentsToKeep to 99 or more/,
    );
    assert.doesNotMatch(printed, /restricted-databases/);
  });

  it("refuses a policy config with an unknown option, and names the policy and the option", async () => {
    const options = await config("wrong-policies", { "kept-deployments": { minimun: 5 } });
    const { code, printed } = await run(shopProgram, "preview", ...options);
    assert.notEqual(code, 0, printed);
    assert.match(printed, /kept-deployments/);
    assert.match(printed, /minimun/);
  });

  it("lets a stack without violations run", async () => {
    const up = ["up", "--yes", "--skip-preview"];
    const { code, printed } = await run(cleanProgram, ...up, "--policy-pack", pack);
    assert.equal(code, 0, printed);
    assert.match(printed, /Policies:/);
    assert.doesNotMatch(printed, /mandatory|advisory/);
  });
});
