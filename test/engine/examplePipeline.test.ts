import assert from "node:assert/strict";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv } from "ajv";
import * as dotenv from "dotenv";
import { followReadme, useEngine } from "../support/engineTest.js";
import { LeakSearch } from "../support/leakSearch.js";
import { repository } from "../support/paths.js";
import { type CommandResult, type Project, resultOf, run } from "../support/workbench.js";

describe("the examples pipeline and consumer, with the real engine", () => {
  const engine = useEngine({ sandboxFor: "suite" });
  let project: Project;
  let environment: Record<string, string>;
  /** The folder with what was deployed. */
  let shipped: string;
  before(async () => {
    project = await engine.example("pipeline", undefined, "deployed-pipeline");
    const ship = join(project.directory, "ship.sh");
    shipped = join(engine.workbench.directory, "shipped");
    // Somebody could stage the files of the folder while the credentials are there.
    const script = `#!/bin/sh\ntest -s "$1/.env" && git add . && cp -rp "$1" "${shipped}"\n`;
    await writeFile(ship, script, { mode: 0o755 });
    // The settings come from environment variables, as in CI.
    const settings = { ...engine.sandbox.environment, PULUMI_STACK: "test", SHIP: ship };
    environment = { ...project.environment, ...settings };
  });

  /** Runs a command as a CI job does. Resolves for every exit code. */
  function job(program: string, ...args: string[]): Promise<CommandResult> {
    const env = { ...process.env, ...environment };
    return resultOf(run(program, args, { cwd: project.directory, env }));
  }

  function assertHoldsNoSecret(...texts: [where: string, text: string][]): void {
    const search = new LeakSearch(engine.secrets());
    for (const [where, text] of texts) search.text(where, text);
  }

  /** Returns the live environment of the project in the sandbox. */
  const live = () => engine.sandbox.projects[0]?.projectEnvironments[0] ?? assert.fail();

  const showOutputs = ["pulumi", "stack", "output", "--json"] as const;

  async function assertFitSchema(printed: string): Promise<void> {
    const schema = await readFile(join(repository, "schemas/pipeline-outputs.schema.json"), "utf8");
    const validate = new Ajv({ strict: true }).compile(JSON.parse(schema) as object);
    const outputs = JSON.parse(printed) as { project: object };
    assert.ok(validate(outputs), JSON.stringify(validate.errors));
    assert.ok(!validate({ ...outputs, project: { ...outputs.project, name: 7 } }));
    assert.ok(!validate({ ...outputs, credentials: { databases: [] } }));
  }

  it("exports the credentials as one secret and all other data in plain text, and leaves none for git to stage", async () => {
    const env = { ...process.env, ...environment };
    const { printed, staged } = await followReadme(project.directory, env);
    const outputs = await job(...showOutputs);
    assert.match(outputs.stdout, /"webroot": "\/var\/www\/shop\/live\/current\/public"/);
    assert.match(outputs.stdout, /"credentials": "\[secret\]"/);
    await assertFitSchema(outputs.stdout);
    await assertFitSchema((await job(...showOutputs, "--show-secrets")).stdout);
    assertHoldsNoSecret(["the output", printed], ["the outputs", outputs.stdout]);
    assert.deepEqual(engine.sandbox.leaksIn(staged), []);
  });

  it("prints the data of the deployment, and writes the credentials to a file that only the owner may read", async () => {
    const { code, stdout, stderr } = await job("sh", "-x", "deploy.sh", "live");
    assert.equal(code, 0, stderr);
    assert.equal(
      stdout,
      `shop.example.com, environment live
  deployed tag:  v2.1.0
  branch:        main of git@git.example.com:retail/shop.git
  webroot:       /var/www/shop/live/current/public
  credentials:   release/.env, until this script ends
`,
    );
    const readme = await readFile(join(repository, "examples/pipeline/README.md"), "utf8");
    assert.ok(readme.includes(stdout), "its README shows this output");
    const file = join(shipped, ".env");
    const written = Object.values(dotenv.parse(await readFile(file, "utf8")));
    const { databases } = live().projectEnvironmentDatabases;
    for (const { password } of databases) assert.ok(written.includes(password));
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(join(project.directory, "release")), []);
    assertHoldsNoSecret(["the output", stdout], ["the trace of the shell", stderr]);
  });

  it("shows nothing secret in the log of a job on GitHub but the commands that mask it", async () => {
    const step = ["GITHUB_ACTIONS=true", "bash", "-e", "deploy.sh", "live"];
    const { code, stdout, stderr } = await job("env", ...step);
    assert.equal(code, 0, stderr);
    const [database] = live().projectEnvironmentDatabases.databases;
    assert.ok(stderr.includes(`::add-mask::${database?.password}\n`));
    const log = stdout + stderr.replace(/^::add-mask::.*\n/gm, "");
    assertHoldsNoSecret(["the log", log]);
  });

  it("keeps a file with credentials that was there before", async () => {
    const file = join(project.directory, "release/.env");
    await writeFile(file, "OWN=1\n");
    const { code, stderr } = await job("sh", "deploy.sh", "live");
    assert.deepEqual([code, await readFile(file, "utf8")], [2, "OWN=1\n"]);
    assert.match(stderr, /^release\/\.env exists\. .* move it elsewhere\.$/m);
    await rm(file);
  });

  it("does not deploy without an environment, to an unknown environment, or from a stack that does not exist", async () => {
    const withoutEnvironment = await job("sh", "deploy.sh");
    assert.match(withoutEnvironment.stderr, /Usage: deploy.sh <environment>/);
    const unknown = await job("sh", "deploy.sh", "moon");
    assert.match(unknown.stderr, /The project shop has no environment moon\. It has live, stage/);
    const missingStack = await job("env", "PULUMI_STACK=gone", "sh", "deploy.sh", "live");
    assert.match(missingStack.stderr, /no stack/);
    for (const { code, stdout } of [withoutEnvironment, unknown, missingStack]) {
      assert.notEqual(code, 0);
      assert.equal(stdout, "");
    }
  });

  it("feeds the example consumer: credentials as [secret], other fields in plain text, no request to the service", async () => {
    const consumer = await engine.example("consumer", project);
    await consumer.setConfig({
      hosting: { value: "organization/pipeline/test" },
      database: { value: "shop_live" },
    });
    const requests = { ...engine.sandbox.counters };
    const printed = await consumer.succeed("up", "--yes", "--skip-preview");
    await consumer.succeed("preview", "--expect-no-changes");
    assert.deepEqual(engine.sandbox.counters, requests);
    const shown = await consumer.succeed("stack", "output", "--json");
    assert.deepEqual(JSON.parse(shown), {
      webroot: "/var/www/shop/live/current/public",
      tag: "v2.1.0",
      password: "[secret]",
    });
    const { password } = await consumer.outputs();
    assert.equal(password, engine.liveDatabase().password);
    const state = await consumer.state();
    assert.match(state, /"ciphertext"/);
    assertHoldsNoSecret(["the output of pulumi up", printed], ["the state", state]);
  });
});
