import assert from "node:assert/strict";
import { chmod, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { masksOf } from "../../../command/env/formats.js";
import { readStackOutputs } from "../../../command/env/stackOutputs.js";
import { variablesOf } from "../../../command/env/variables.js";
import { credentialsIn, LeakSearch } from "../../support/leakSearch.js";
import { stackOutputsOf } from "../../support/stackOutputs.js";
import { useCommandProcess } from "../commandProcess.js";

describe("pulumi-project-service env", () => {
  const command = useCommandProcess();
  const pathOf = (name: string) => join(command.directory, name);
  const read = (name: string) => readFile(pathOf(name), "utf8");

  /** Writes the outputs of a stack into a file for standard input. The credentials are shown. */
  async function writeOutputs(change = (json: string) => json): Promise<void> {
    await writeFile(pathOf("outputs.json"), change(await stackOutputsOf(command.sandbox, "shop")));
  }
  beforeEach(() => writeOutputs());
  afterEach(() => rm(pathOf("live.env"), { force: true }));

  /** Runs the command in a shell, and searches what it prints for credentials. */
  async function env(args: string, before = "") {
    const result = await command.runInShell(`env ${args} <outputs.json`, before);
    const search = new LeakSearch(credentialsIn(command.sandbox.projects));
    search.text("the output", `${result.stdout}${result.stderr} `);
    return result;
  }

  async function assertFails(args: string, message: RegExp): Promise<void> {
    const { code, stdout, stderr } = await env(args);
    assert.deepEqual([code, stdout], [2, ""], stderr);
    assert.match(stderr, message);
    assert.match(stderr, /^[^\n]+\n$/, "one line");
    assert.ok(!(await readdir(command.directory)).includes("live.env"));
  }

  const shop = () => command.sandbox.projects[0] ?? assert.fail();
  const code = () => shop().projectEnvironments[0]!.projectEnvironmentCode;
  const database = () =>
    shop().projectEnvironments[0]!.projectEnvironmentDatabases.databases[0] ?? assert.fail();
  const toFile = "live --format json --credentials --output live.env";

  it("prints the project and the environment, without credentials", async () => {
    const { code, stdout, stderr } = await env("live --format gitlab");
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^PROJECT_WEBROOT=\/var\/www\/shop\/live\/current\/public$/m);
    assert.doesNotMatch(stdout, /PASSWORD|USERNAME/);
  });

  it("takes the outputs by other names, and another prefix", async () => {
    await writeOutputs((json) => {
      const { project, credentials } = JSON.parse(json) as Record<string, unknown>;
      return JSON.stringify({ a: project, b: credentials });
    });
    const names = "--project-output a --credentials-output b --prefix SHOP_";
    assert.equal((await env(`${toFile} ${names}`)).code, 0);
    const variables = JSON.parse(await read("live.env")) as Record<string, unknown>;
    assert.equal(variables["SHOP_DATABASES_SHOP_LIVE_PASSWORD"], database().password);
  });

  it("writes credentials only into a file that only the owner may read", async () => {
    await writeFile(pathOf("live.env"), "earlier");
    await chmod(pathOf("live.env"), 0o644);
    const args = "live --format dotenv --credentials --output live.env";
    const { code, stdout, stderr } = await env(args, "umask 0; ");
    assert.deepEqual([code, stdout, stderr], [0, "", ""]);
    assert.equal((await stat(pathOf("live.env"))).mode & 0o777, 0o600);
    assert.ok((await read("live.env")).includes(`_PASSWORD='${database().password}'`));
    assert.doesNotMatch((await readdir(command.directory)).join(), /\.tmp/);
  });

  it("leaves no half of a file that cannot be written", async () => {
    await writeFile(pathOf("live.env"), "earlier\n");
    // A limit of 512 bytes for each file that the shell and its children write.
    const { code, stderr } = await env(toFile, `ulimit -f 1; trap "" XFSZ; `);
    assert.equal(code, 2);
    assert.match(stderr, /^Writing live\.env failed: E/);
    assert.equal(await read("live.env"), "earlier\n");
    assert.doesNotMatch((await readdir(command.directory)).join(), /\.tmp/);
  });

  it("prints no value that a log could run as a command, but writes it into a file", async () => {
    for (const tag of ["##vso[task.complete]", "v1\n::stop-commands::x", "a\u0007b"]) {
      code().currentTag = tag;
      await writeOutputs();
      await assertFails("live --format shell", /^The value of PROJECT_CURRENT_TAG contains ##, ::/);
      assert.equal((await env("live --format shell >live.env")).code, 0);
      assert.ok((await read("live.env")).includes(tag));
      await rm(pathOf("live.env"));
      const { stdout } = await env("live --format json");
      assert.doesNotMatch(stdout, /##|\n::|\u0007/);
      const { PROJECT_CURRENT_TAG: printed } = JSON.parse(stdout) as Record<string, unknown>;
      assert.equal(printed, tag);
    }
  });

  it("masks each line of each credential in a job on GitHub, and leaves $GITHUB_ENV alone", async () => {
    await writeFile(pathOf("github.env"), "EARLIER=1\n");
    Object.assign(database(), { username: "us%er", password: "line 1\n\n  \nline 3: ü" });
    shop().codeRepository.importRepository = { url: "https://t:1@git", token: 123, shallow: true };
    await writeOutputs();
    const step = "GITHUB_ACTIONS=true GITHUB_ENV=github.env ";
    const job = await command.runInShell(`env ${toFile} <outputs.json`, step);
    assert.deepEqual([job.code, job.stdout], [0, ""]);
    const masks = job.stderr.trimEnd().split("\n");
    const [, second] =
      shop().projectEnvironments[0]!.projectEnvironmentDatabases.databases.toSorted((a, b) =>
        a.name < b.name ? -1 : 1,
      );
    assert.deepEqual(
      masks,
      [
        ...["us%25er", "line 1", "line 3: ü", second?.username, second?.password],
        ...["https://t:1@git", "123"],
      ].map((line) => `::add-mask::${line}`),
    );
    assert.equal(await read("github.env"), "EARLIER=1\n");
  });

  it("writes to no file that GitHub's runner reads", async () => {
    await writeFile(pathOf("runner"), "earlier\n");
    for (const name of ["ENV", "OUTPUT", "STATE", "STEP_SUMMARY"]) {
      const args = "env live --format dotenv --credentials --output runner <outputs.json";
      const { code, stderr } = await command.runInShell(args, `GITHUB_${name}=runner `);
      assert.equal(code, 2);
      assert.match(stderr, /^--output cannot be a file of GitHub's runner\./);
      assert.equal(await read("runner"), "earlier\n");
    }
  });

  it("refuses a line before which the runner finds no end of a command", () => {
    const variable = { name: "A", shownName: "A", secret: true };
    // Runners ignore some of these, and take the others for a part of the colon before them.
    for (const first of "\0\u00ad\u0301\u0640\u0e33\u200b\u200d\ufe0f\ufeff\u{1f3fb}\u{e0041}") {
      const value = `line 1\n${first}s3cr3t`;
      assert.throws(() => masksOf([{ ...variable, value }]), /cannot mask A: a line of its value/);
    }
    const masks = "::add-mask::\tü\n::add-mask::ü\u0301\n::add-mask::密\n";
    assert.equal(masksOf([{ ...variable, value: "\tü\nü\u0301\n密" }]), masks);
  });

  it("refuses a number that JavaScript would change, without its key and value", async () => {
    shop().codeRepository.importRepository = { url: "c4nary" };
    const message =
      /^The value of PROJECT_CODE_REPOSITORY_IMPORT_REPOSITORY… in standard input is a number/;
    for (const number of ["1234567.00000000000001", "12345678901234567890", "9007199254740992"]) {
      await writeOutputs((json) => json.replace('"c4nary"', number));
      await assertFails(toFile, message);
    }
    for (const number of ["-9007199254740991", "1.5e-7"]) {
      await writeOutputs((json) => json.replace('"c4nary"', number));
      assert.equal((await env(toFile)).code, 0);
      assert.ok((await read("live.env")).includes(`_URL": ${number}\n`));
    }
  });

  it("refuses credentials of the same project with another database of the same name", async () => {
    await writeOutputs((json) => {
      const outputs = JSON.parse(json) as {
        credentials: { databases: { live: { associationId: number }[] } };
      };
      outputs.credentials.databases.live[0]!.associationId++;
      return JSON.stringify(outputs);
    });
    await assertFails(
      toFile,
      /^The output credentials does not have the credentials of the databases of environment live in the output project\./,
    );
  });

  it("refuses the credentials of another project", async () => {
    const { credentials } = JSON.parse(await stackOutputsOf(command.sandbox, "blog")) as {
      credentials: object;
    };
    await writeOutputs((json) => JSON.stringify({ ...(JSON.parse(json) as object), credentials }));
    await assertFails(toFile, /^The output credentials .* has the credentials of another project/);
  });

  for (const [what, input, message] of [
    ["a table", "OUTPUT\nc4nary", /^Standard input is not valid JSON at line 1\. Pass it the JSON/],
    ["a list", "[]", /must be a JSON object with all outputs/],
    ["Latin-1", Buffer.from([0xe9]), /^Standard input is not UTF-8 text\./],
    ["no such output", '{"a":1,"b":2}', /^There is no output project .*: a, b\..*-output/],
    ["a hidden project", '{"project":"[secret]"}', /^The output project .*--show-secrets/],
    ["another shape", '{"project":{"name":7}}', /^The output project .* is missing\./],
  ] as const) {
    it(`refuses an input with ${what}`, async () => {
      await writeFile(pathOf("outputs.json"), input);
      await assertFails("live --format shell", message);
    });
  }

  it("fails with one line, and writes nothing, for a refused value, and json writes all", async () => {
    code().currentTag = "v1\r";
    await writeOutputs();
    for (const format of ["dotenv", "github", "gitlab"]) {
      await assertFails(`live --format ${format}`, / cannot carry PROJECT_CURRENT_TAG: /);
    }
    await assertFails("live --format dotenv --output live.env", / cannot carry PROJECT_CURRENT/);
    await assertFails("live --format shell", /^The value of PROJECT_CURRENT_TAG contains /);
    const outputs = readStackOutputs(await readFile(pathOf("outputs.json")), {
      environmentId: "live",
      credentials: false,
      projectOutput: "project",
      credentialsOutput: "credentials",
    });
    const all = variablesOf(outputs, "PROJECT_").map(({ name, value }) => [name, value]);
    const { stdout } = await env("live --format json");
    assert.deepEqual(JSON.parse(stdout), Object.fromEntries(all));
  });

  for (const [args, message] of [
    ["moon --format shell", /has no environment moon\. It has live, stage, t/],
    ["--format shell", /^env needs the id of one environment, not none\./],
    ["a b --format shell", /^env needs the id of one environment, not a b\./],
    ["live --format x", /^--format x must be one of dotenv, github,/],
    ["live --format shell --prefix 1-", /^--prefix 1- must have letters, digits/],
    ["live --format shell --credentials", /^--credentials needs --output <file>\./],
    ["live --format shell --output new/", /^--output new\/ must be the name of a file\.$/m],
    ["live --format shell --output ''", /^--output is empty\. Give it a value, or leave/],
    ["live --format shell --output /dev/stdout", /^Writing \/dev\/stdout f/],
    [
      "live --format gitlab --credentials --output live.env",
      /^--credentials .* --format gitlab, bec/,
    ],
    ["live --format github --credentials", /^--credentials cannot be .* --format github, because/],
    [
      "live --format github --output live.env",
      /^--output cannot .* Append .*: >>"\$GITHUB_ENV"\.$/m,
    ],
  ] as const) {
    it(`fails with one line, and writes nothing, for ${args}`, async () => {
      await assertFails(args, message);
      assert.ok(!(await readdir(command.directory)).includes("new"));
    });
  }
});
