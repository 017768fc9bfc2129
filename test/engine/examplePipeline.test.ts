import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv } from "ajv";
import { useEngine } from "../support/engineTest.js";
import { LeakSearch } from "../support/leakSearch.js";
import { repository } from "../support/paths.js";
import { type CommandResult, type Project, resultOf, run } from "../support/workbench.js";

describe("the examples pipeline and consumer, with the real engine", () => {
  const engine = useEngine({ sandboxFor: "suite" });
  let project: Project;
  let environment: Record<string, string>;
  /** The file into which the deploy command writes what it got. */
  let shipped: string;
  before(async () => {
    project = await engine.example("pipeline", undefined, "deployed-pipeline");
    const ship = join(project.directory, "ship.sh");
    shipped = join(engine.workbench.directory, "shipped");
    const script = `#!/bin/sh\nprintenv PROJECT_DATABASE_PASSWORD >"${shipped}"\n`;
    await writeFile(ship, script, { mode: 0o755 });
    // The settings come from environment variables, as in CI.
    const settings = { ...engine.sandbox.envVars, PULUMI_STACK: "test", SHIP: ship };
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

  const showOutputs = ["pulumi", "stack", "output", "--json"] as const;

  /** Runs the commands in the README, and stages all files. Returns what they print, and the text of the staged files. */
  async function followReadme(): Promise<{ printed: string; staged: string }> {
    const readme = await readFile(join(project.directory, "README.md"), "utf8");
    const commands = [...readme.matchAll(/^\$ (.*)$/gm)].map(([, command]) => command);
    const mark = "=== staged";
    // A deletion must not leave the index again.
    const stage = "git add --ignore-removal .";
    const script = ["git init -q", ...commands, stage, `echo "${mark}"`, "git grep --cached ''"];
    const { code, stdout, stderr } = await job("bash", "-e", "-c", script.join("\n"));
    assert.equal(code, 0, stderr);
    const [printed = "", staged = ""] = stdout.split(mark);
    assert.match(staged, /^index\.ts:/m);
    return { printed, staged };
  }

  async function assertFitSchema(printed: string): Promise<void> {
    const schema = await readFile(join(repository, "schemas/pipeline-outputs.schema.json"), "utf8");
    const validate = new Ajv({ strict: true }).compile(JSON.parse(schema) as object);
    const outputs = JSON.parse(printed) as { project: object };
    assert.ok(validate(outputs), JSON.stringify(validate.errors));
    assert.ok(!validate({ ...outputs, project: { ...outputs.project, name: 7 } }));
    assert.ok(!validate({ ...outputs, credentials: { databases: [] } }));
  }

  it("exports the credentials as one secret and all other data in plain text, and leaves none for git to stage", async () => {
    const { printed, staged } = await followReadme();
    const outputs = await job(...showOutputs);
    assert.match(outputs.stdout, /"webroot": "\/var\/www\/shop\/live\/current\/public"/);
    assert.match(outputs.stdout, /"credentials": "\[secret\]"/);
    await assertFitSchema(outputs.stdout);
    await assertFitSchema((await job(...showOutputs, "--show-secrets")).stdout);
    assertHoldsNoSecret(["the output", printed], ["the outputs", outputs.stdout]);
    assert.deepEqual(engine.sandbox.leaksIn(staged), []);
  });

  /** Runs the command of the deploy jobs, with a change. */
  async function deploy(word = "", change = ""): Promise<CommandResult> {
    const commands = await Promise.all(
      [".github/workflows/hosting.yml", ".gitlab-ci.yml", "README.md"].map(async (path) => {
        const text = await readFile(join(repository, "examples/pipeline", path), "utf8");
        return /npx --no pulumi-project-service run .*/.exec(text)?.[0] ?? "";
      }),
    );
    assert.equal(new Set(commands).size, 1, "the jobs and the README have the same command");
    return job("bash", "-ec", String(commands[0]).replace(word, change));
  }

  it("prints the data of the deployment, passes the credentials on, and writes no file", async () => {
    const before = await readdir(project.directory);
    const { code, stdout, stderr } = await deploy("./deploy.sh", "sh -x ./deploy.sh");
    assert.equal(code, 0, stderr);
    assert.equal(
      stdout,
      `shop.example.com, environment live
  deployed tag:  v2.1.0
  branch:        main of git@git.example.com:retail/shop.git
  webroot:       /var/www/shop/live/current/public
  database:      shop_live
`,
    );
    const readme = await readFile(join(repository, "examples/pipeline/README.md"), "utf8");
    assert.ok(readme.includes(stdout), "its README shows this output");
    assert.equal(await readFile(shipped, "utf8"), `${engine.liveDatabase().password}\n`);
    assert.deepEqual(await readdir(project.directory), before);
    assertHoldsNoSecret(["the output", stdout], ["the trace of the shell", stderr]);
  });

  it("does not deploy if Pulumi cannot decrypt the credentials", async () => {
    const { PULUMI_CONFIG_PASSPHRASE: passphrase } = environment;
    environment["PULUMI_CONFIG_PASSPHRASE"] = "wrong";
    const { code, stdout, stderr } = await deploy();
    environment["PULUMI_CONFIG_PASSPHRASE"] = String(passphrase);
    assert.deepEqual([code, stdout], [125, ""]);
    assert.match(stderr, /^Pulumi could not decrypt the output credentials\. Check/m);
  });

  it("feeds the example consumer: credentials as [secret], other fields in plain text, no request to the service", async () => {
    const consumer = await engine.example("consumer", project);
    await consumer.setConfig({
      hosting: { value: "organization/pipeline/test" },
      database: { value: "shop_live" },
    });
    const requests = { ...engine.sandbox.counters };
    const printed = await consumer.up();
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
