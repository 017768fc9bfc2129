import assert from "node:assert/strict";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useEngine } from "../support/engineTest.js";
import { repository } from "../support/paths.js";
import { resultOf, run } from "../support/workbench.js";

const violatingProgram = `
new ProjectSnapshot("violating", { projectId: "p-1", includeCredentials: true });
new ProjectsSnapshot("fleet", { onInaccessible: "keep", includeCredentials: true });
new ProjectsSnapshot("few", { onInaccessible: "keep", fields: ["domain"] });
`;
const spyPack = `
const { PolicyPack } = require("@pulumi/policy");
const { recordedProjects, auditProject, defineRule, violated } = require("pulumi-project-service/policies");

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
      for (const project of recordedProjects(type, props)) {
        const [{ password }] = props.credentials.databases.live;
        report("The pack received a password of " + password.length + " letters");
        for (const { message } of auditProject(project, [rule])) report(message);
      }
    },
  }],
});
`;
describe("the policy pack with the real engine", () => {
  const engine = useEngine({ sandboxFor: "suite" });
  /** The example, in the workbench, which has its packages. Pulumi does not check its types for each test. */
  let pack: string;
  before(async () => {
    pack = join(engine.workbench.directory, "policy-pack");
    await cp(join(repository, "examples/policy-pack"), pack, { recursive: true });
    const file = join(pack, "tsconfig.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace(/"compilerOptions": \{/, '$& "noCheck": true,'));
  });

  /** Makes a policy pack in JavaScript. Returns its folder. */
  async function makePack(name: string, program: string): Promise<string> {
    const directory = join(engine.workbench.directory, name);
    await mkdir(directory);
    const manifest = "package.json";
    await cp(join(pack, manifest), join(directory, manifest));
    await writeFile(join(directory, "index.js"), program);
    await writeFile(
      join(directory, "PulumiPolicy.yaml"),
      "runtime: { name: nodejs, options: { typescript: false } }\n",
    );
    return directory;
  }

  it("fails a stack that violates a rule, and gives the rules of a user no credential, although Pulumi decrypts it for the pack", async () => {
    const spies = await makePack("spy-pack", spyPack);
    engine.sandbox.forbiddenProjectIds.add("p-3");
    const stack = await engine.stack("violating", violatingProgram);
    const packs = ["--policy-pack", pack, "--policy-pack", spies];
    const printed = await stack.fail("preview", ...packs);
    engine.sandbox.forbiddenProjectIds.clear();
    assert.match(printed, /\[mandatory\] \[severity: high\] +error /);
    assert.match(printed, /\[advisory\] \[severity: low\] +warning-or-note /);
    assert.match(
      printed,
      /Project shop \(p-1\), environment stage, rule restricted-databases: The database shop_search_stage is not restricted by address\. Set allowedIP/,
    );
    assert.doesNotMatch(printed, /Project shop \(p-1\), environment live/);
    const unread = printed.match(/Project p-3 \(p-3\), rule .*/g) ?? [];
    assert.equal(unread.length, 2);
    const ofFew = printed
      .split(/^(?= +- \[)/m)
      .filter((each) => /ProjectsSnapshot: few\)/.test(each));
    const undecided = ofFew.filter((each) => each.includes("The rule cannot decide"));
    assert.equal(undecided.length, 50);
    assert.match(ofFew.join(""), /^ +Other undecided findings of this snapshot: \d+\.$/m);
    assert.match(unread[0] ?? "", /readable-project: The project could not be read \(FORBIDDEN\)/);

    const { password } = engine.liveDatabase();
    assert.match(printed, new RegExp(`The pack received a password of ${password.length} letters`));
    assert.match(printed, /The rule received {.*"name":"shop_live"/);
  });

  it("agrees with the audit: green with what it accepted, red with a new finding", async () => {
    const accepted = join(pack, "accepted.json");
    const bin = join(engine.workbench.directory, "node_modules/.bin/pulumi-project-service");
    const files = ["--rules", join(pack, "house-rules.mjs"), "--fail-on", "error"];
    const place = {
      cwd: engine.workbench.directory,
      env: { PATH: process.env["PATH"], ...engine.sandbox.envVars },
    };
    const audit = async (...options: string[]) =>
      (await resultOf(run(bin, ["audit", ...files, ...options], place))).code;
    const stack = await engine.stack("agreeing", 'new ProjectsSnapshot("fleet");');
    let printed = "";
    /** Returns the exit code of the audit, and whether the pack reports mandatory violations. */
    const check = async () => {
      const { code, stdout, stderr } = await stack.cli("preview", "--policy-pack", pack);
      printed = stdout + stderr;
      assert.equal(code !== 0, printed.includes("[mandatory]"), printed);
      return [await audit("--accepted", accepted), printed.includes("[mandatory]")];
    };
    const write = ["--write-accepted", accepted, "--reason", "known", "--until", "2999-12-31"];
    assert.equal(await audit(...write), 0);
    assert.deepEqual(await check(), [0, false], printed);

    const { projectEnvironmentCode } = engine.sandbox.projects[1]!.projectEnvironments[0]!;
    projectEnvironmentCode.branch.guarded = false;
    assert.deepEqual(await check(), [1, true]);
    assert.match(printed, /blog \(p-2\), environment live, rule guarded-production-branch/);
  });
});
