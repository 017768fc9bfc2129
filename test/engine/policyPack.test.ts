import assert from "node:assert/strict";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useEngine } from "../support/engineTest.js";
import { assertHoldsNone } from "../support/leakSearch.js";
import { repository } from "../support/paths.js";
import { resultOf, run } from "../support/workbench.js";

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
const fleetProgram = `
import * as projectService from "pulumi-project-service";
new projectService.ProjectsSnapshot("fleet");
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

  /** Runs a command for a program, with policy packs. Searches what it prints for secrets. */
  async function runWith(program: string, ...args: string[]) {
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
    const { code, printed } = await runWith(violatingProgram, "preview", ...packs);
    engine.sandbox.forbiddenProjectIds.clear();
    assert.notEqual(code, 0, printed);
    assert.match(printed, /\[mandatory\] \[severity: high\] +error /);
    assert.match(printed, /\[advisory\] \[severity: low\] +warning-or-note /);
    for (const message of [
      /Project shop \(p-1\), environment stage, rule restricted-databases: The database shop_search_stage is not restricted by address\. Set allowedIP/,
      // The snapshot of this project records other fields than the webroot.
      /Project blog \(p-2\), environment live, rule webroot-location: The rule cannot decide\. Missing: webroot\./,
    ]) {
      assert.match(printed, message);
    }
    assert.doesNotMatch(printed, /Project shop \(p-1\), environment live/);
    const unread = printed.match(/Project p-3 \(p-3\), rule .*/g) ?? [];
    assert.equal(unread.length, 1);
    assert.match(unread[0] ?? "", /readable-project: The project could not be read \(FORBIDDEN\)/);

    const { password } = engine.liveDatabase();
    assert.match(printed, new RegExp(`The pack received a password of ${password.length} letters`));
    assert.match(printed, /The rule received {.*"name":"shop_live"/);
  });

  it("and the audit are green with what the audit accepted, red with a new finding, and red after its last day", async () => {
    const files = ["--rules", join(pack, "house-rules.mjs"), "--fail-on", "error"];
    const file = join(pack, "accepted.json");
    const audit = async (...options: string[]) => {
      const bin = join(engine.workbench.directory, "node_modules/.bin/pulumi-project-service");
      const env = { PATH: process.env["PATH"], ...engine.sandbox.environment };
      const place = { cwd: engine.workbench.directory, env };
      const { code, stderr } = await resultOf(run(bin, ["audit", ...files, ...options], place));
      assert.ok(code === 0 || code === 1, stderr);
      return code;
    };
    const preview = async () => {
      const { code, printed } = await runWith(fleetProgram, "preview", "--policy-pack", pack);
      return {
        isGreen: code === 0,
        mandatory: printed.match(/\[mandatory\]/g)?.length ?? 0,
        printed,
      };
    };
    const red = await preview();
    assert.deepEqual([red.isGreen, await audit("--accepted", file)], [false, 1]);
    const write = ["--write-accepted", file, "--reason", "known", "--until", "2999-12-31"];
    assert.equal(await audit(...write), 0);
    const green = await preview();
    assert.deepEqual([green.isGreen, green.mandatory], [true, 0], green.printed);

    const { projectEnvironmentCode } = engine.sandbox.projects[1]!.projectEnvironments[0]!;
    projectEnvironmentCode.branch.guarded = false;
    const found = await preview();
    assert.deepEqual([found.isGreen, await audit("--accepted", file)], [false, 1]);
    assert.match(found.printed, /blog \(p-2\), environment live, rule guarded-production-branch/);
    projectEnvironmentCode.branch.guarded = true;

    const text = await readFile(file, "utf8");
    const day = (days: number) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    await writeFile(file, text.replaceAll("2999-12-31", day(3)));
    const ending = await preview();
    assert.deepEqual([ending.isGreen, await audit("--accepted", file)], [true, 0], ending.printed);
    assert.match(ending.printed, /\[advisory\]/);
    assert.ok(ending.printed.includes(`Its acceptance ends after ${day(3)}.`));
    await writeFile(file, text.replaceAll("2999-12-31", day(-1)));
    const ended = await preview();
    assert.deepEqual([ended.isGreen, await audit("--accepted", file)], [false, 1]);
  });

  it("refuses a file that is no file with accepted findings", async () => {
    const broken = await copiedPack("broken-pack");
    await writeFile(join(broken, "accepted.json"), '{ "version": 1, "accepted": [{}] }');
    const { code, printed } = await runWith(fleetProgram, "preview", "--policy-pack", broken);
    assert.notEqual(code, 0, printed);
    assert.match(printed, /accepted\[0\]\.rule is missing/);
  });

  it("lets a stack without violations run", async () => {
    const up = ["up", "--yes", "--skip-preview"];
    const { code, printed } = await runWith(cleanProgram, ...up, "--policy-pack", pack);
    assert.equal(code, 0, printed);
    assert.match(printed, /Policies:/);
    assert.doesNotMatch(printed, /mandatory|advisory/);
  });
});
