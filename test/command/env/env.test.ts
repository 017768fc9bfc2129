import assert from "node:assert/strict";
import { chmod, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { masksOf } from "../../../command/env/githubEnvironment.js";
import { credentialsIn, LeakSearch } from "../../support/leakSearch.js";
import { commandsIn } from "../../support/logCommands.js";
import { stackOutputsOf } from "../../support/stackOutputs.js";
import { useCommandProcess } from "../commandProcess.js";

describe("pulumi-project-service env", () => {
  const command = useCommandProcess();
  const pathOf = (name: string) => join(command.directory, name);

  /** The outputs of a stack, in a file for standard input. The credentials are shown. */
  beforeEach(async () => {
    await writeFile(pathOf("outputs.json"), await stackOutputsOf(command.sandbox, "shop"));
    await writeFile(pathOf("github.env"), "EARLIER=1\n");
  });
  afterEach(() => rm(pathOf("live.env"), { force: true }));

  /** Runs the command in a shell, and searches what it prints for credentials. */
  async function env(args: string, before = "") {
    const result = await command.runInShell(`env ${args}`, before);
    assertNoSecret(`the output ${result.stdout}${result.stderr}`);
    return result;
  }

  function assertNoSecret(text: string): void {
    new LeakSearch(credentialsIn(command.sandbox.projects)).text("the output", text);
  }

  async function assertFails(args: string, message: RegExp, before = ""): Promise<void> {
    const { code, stdout, stderr } = await env(args, before);
    assert.deepEqual([code, stdout], [2, ""], stderr);
    assert.match(stderr, message);
    assert.match(stderr, /^[^\n]+\n$/, "one line");
  }

  const database = () => {
    const [project] = command.sandbox.projects;
    return (
      project?.projectEnvironments[0]?.projectEnvironmentDatabases.databases[0] ?? assert.fail()
    );
  };

  it("prints the project and the environment, without credentials", async () => {
    const { code, stdout, stderr } = await env("live --format gitlab <outputs.json");
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^PROJECT_WEBROOT=\/var\/www\/shop\/live\/current\/public$/m);
    const github = await env("stage --format github <outputs.json >>github.env");
    assert.deepEqual([github.code, github.stdout], [0, ""]);
    assert.match(
      await readFile(pathOf("github.env"), "utf8"),
      /^EARLIER=1\nPROJECT_PROJECT_ID<<\S+\np-1\n/,
    );
  });

  it("takes the outputs by other names, and another prefix", async () => {
    const { project, credentials } = JSON.parse(
      await readFile(pathOf("outputs.json"), "utf8"),
    ) as Record<string, unknown>;
    await writeFile(pathOf("outputs.json"), JSON.stringify({ a: project, b: credentials }));
    const names = "--project-output a --credentials-output b --prefix SHOP_";
    const { code } = await env(
      `live --format json --credentials --output live.env ${names} <outputs.json`,
    );
    assert.equal(code, 0);
    const variables = JSON.parse(await readFile(pathOf("live.env"), "utf8")) as Record<
      string,
      unknown
    >;
    assert.equal(variables["SHOP_DATABASES_SHOP_LIVE_PASSWORD"], database().password);
  });

  it("writes credentials only into a file that only the owner may read", async () => {
    await writeFile(pathOf("live.env"), "earlier");
    await chmod(pathOf("live.env"), 0o644);
    const { code, stdout, stderr } = await env(
      "live --format dotenv --credentials --output live.env <outputs.json",
      "umask 0; ",
    );
    assert.deepEqual([code, stdout, stderr], [0, "", ""]);
    assert.equal((await stat(pathOf("live.env"))).mode & 0o777, 0o600);
    assert.ok(
      (await readFile(pathOf("live.env"), "utf8")).includes(`_PASSWORD='${database().password}'`),
    );
    assert.deepEqual(
      (await readdir(command.directory)).filter((name) => name.endsWith(".tmp")),
      [],
    );

    for (const format of ["dotenv", "shell", "json"]) {
      await assertFails(
        `live --format ${format} --credentials <outputs.json`,
        /needs --output <file>/,
      );
    }
    await assertFails(
      "live --format shell --credentials --output /dev/stdout <outputs.json",
      /is not a regular file/,
    );
    await assertFails(
      "live --format gitlab --credentials --output live.env <outputs.json",
      /download dotenv artifacts.*--format shell --credentials/,
    );
  });

  it("refuses a value that a log would read as a command, but not in a file", async () => {
    const [shop] = command.sandbox.projects;
    shop!.projectEnvironments[0]!.projectEnvironmentCode.currentTag = "##vso[task.complete]";
    await writeFile(pathOf("outputs.json"), await stackOutputsOf(command.sandbox, "shop"));
    for (const format of ["dotenv", "github", "gitlab", "shell"]) {
      const args = `live --format ${format} <outputs.json`;
      await assertFails(args, /PROJECT_CURRENT_TAG contains a command that GitHub, Azure/);
      assert.equal((await env(`${args} >live.env`)).code, 0);
      assert.match(await readFile(pathOf("live.env"), "utf8"), /##vso\[task\.complete\]/);
    }
    const { stdout } = await env("live --format json <outputs.json");
    assert.deepEqual(commandsIn(stdout), []);
    const { PROJECT_CURRENT_TAG: tag } = JSON.parse(stdout) as Record<string, unknown>;
    assert.equal(tag, "##vso[task.complete]");

    for (const tag of [
      "v1\n::stop-commands::x",
      "v1\n\u0085::stop-commands::x",
      "v1\r::stop-commands:\u0001:x",
      "v1\n::beef ::",
    ]) {
      shop!.projectEnvironments[0]!.projectEnvironmentCode.currentTag = tag;
      await writeFile(pathOf("outputs.json"), await stackOutputsOf(command.sandbox, "shop"));
      await assertFails("live --format shell <outputs.json", /PROJECT_CURRENT_TAG contains a/);
    }
  });

  describe("with credentials on GitHub", () => {
    const args = "live --format github --credentials <outputs.json";
    const step = "GITHUB_ACTIONS=true GITHUB_ENV=github.env ";

    /** Makes the outputs of a shop whose imported repository is this value. */
    async function importFrom(importRepository: unknown): Promise<void> {
      command.sandbox.projects[0]!.codeRepository.importRepository = importRepository;
      await writeFile(pathOf("outputs.json"), await stackOutputsOf(command.sandbox, "shop"));
    }

    it("masks each line of each credential on standard error, and then appends to $GITHUB_ENV", async () => {
      Object.assign(database(), { username: "us%er", password: "line 1\n\n  \nline 3: ü" });
      await importFrom({ url: "https://t:1@git", token: 123_456_789 });
      const { code, stdout, stderr } = await command.runInShell(`env ${args} | tee log`, step);
      assert.deepEqual([code, stdout], [0, ""]);
      const lines = stderr.split("\n");
      assert.ok(
        lines.every((line) => line === "" || line.startsWith("::add-mask::")),
        stderr,
      );
      for (const line of ["us%25er", "line 1", "line 3: ü", "https://t:1@git", "123456789"]) {
        assert.ok(lines.includes(`::add-mask::${line}`), line);
      }
      const file = await readFile(pathOf("github.env"), "utf8");
      assert.match(file, /^EARLIER=1\n/);
      assert.match(file, /_PASSWORD<<(\S+)\nline 1\n\n {2}\nline 3: ü\n\1\n/);
    });

    for (const value of [true, 7, 12_345, -1.5]) {
      it(`refuses ${value}, which GitHub cannot mask, without the key and the value`, async () => {
        await importFrom({ "c4nary-key": value });
        const { code, stderr } = await command.runInShell(`env ${args}`, step);
        assert.equal(code, 2);
        assert.match(stderr, /cannot mask PROJECT_CODE_REPOSITORY_IMPORT_REPOSITORY_…: its value/);
        assert.doesNotMatch(stderr, /c4nary/i);
        assert.equal(await readFile(pathOf("github.env"), "utf8"), "EARLIER=1\n");
      });
    }

    it("refuses a line before which the runner finds no end of a command", async () => {
      const variable = { name: "A", shownName: "A", secret: true };
      // Runners ignore some of these, and take the others for a part of the colon before them.
      for (const first of "\0\u00ad\u0301\u0640\u0e33\u200b\u200d\ufe0f\ufeff\u{1f3fb}\u{e0041}") {
        const value = `line 1\n${first}s3cr3t`;
        assert.throws(
          () => masksOf([{ ...variable, value }]),
          /cannot mask A: a line of its value/,
        );
      }
      assert.equal(
        masksOf([{ ...variable, value: "\tü\nü\u0301" }]),
        "::add-mask::\tü\n::add-mask::ü\u0301\n",
      );

      database().password = "\u0301s3cr3t";
      await importFrom({});
      const { code, stderr } = await command.runInShell(`env ${args}`, step);
      assert.equal(code, 2);
      assert.match(stderr, /^GitHub cannot mask PROJECT_DATABASES_SHOP_LIVE_PASSWORD: a line/);
      assert.doesNotMatch(stderr, /s3cr3t|::/);
      assert.equal(await readFile(pathOf("github.env"), "utf8"), "EARLIER=1\n");
    });

    it("names no key of an imported repository in any other message", async () => {
      await importFrom({ "c4nary-key": 1_234_567, c4nary_key: 7_654_321 });
      const { stderr } = await command.runInShell(`env ${args}`, step);
      assert.match(
        stderr,
        /would both be the variable PROJECT_CODE_REPOSITORY_IMPORT_REPOSITORY_…/,
      );
      assert.doesNotMatch(stderr, /c4nary/i);
    });

    it("starts on a line of its own", async () => {
      await writeFile(pathOf("github.env"), "EARLIER=1");
      assert.equal((await command.runInShell(`env ${args}`, step)).code, 0);
      assert.match(await readFile(pathOf("github.env"), "utf8"), /^EARLIER=1\nPROJECT_/);
    });

    it("appends all variables or none if the file cannot grow", async () => {
      // A limit of 512 bytes for each file that the shell and its children write.
      const { stderr } = await command.runInShell(
        `env ${args}`,
        `ulimit -f 1; trap "" XFSZ; ${step}`,
      );
      assert.match(stderr, /Appending the variables to github\.env failed: E/);
      assert.equal(await readFile(pathOf("github.env"), "utf8"), "EARLIER=1\n");
    });

    for (const [what, file] of [
      ["does not exist", "new.env"],
      ["is a pipe", "/dev/stdout"],
      ["is a directory", "."],
    ] as const) {
      it(`refuses a file in GITHUB_ENV that ${what}`, async () => {
        const { code, stdout, stderr } = await env(
          `${args} | cat`,
          `${step.replace("github.env", file)}`,
        );
        assert.deepEqual([code, stdout], [0, ""], "the exit code of cat");
        assert.match(stderr, /^GITHUB_ENV names .*, which is not an existing regular file\./);
        assert.ok(!(await readdir(command.directory)).includes("new.env"));
      });
    }

    for (const [place, before, after] of [
      ["outside of GitHub", "GITHUB_ENV=github.env ", ""],
      ["if its standard error is a file", step, " 2>log"],
      ["if its standard error is /dev/null", step, " 2>/dev/null"],
    ] as const) {
      it(`refuses ${place}, and appends nothing`, async () => {
        const { code } = await env(args + after, before);
        assert.equal(code, 2);
        assert.equal(await readFile(pathOf("github.env"), "utf8"), "EARLIER=1\n");
      });
    }

    it("appends nothing if the runner does not take the masks", async () => {
      await env(
        `${args} 2>&1 >/dev/null; } | { exec <&-; touch closed; }`,
        `{ until [ -e closed ]; do sleep 0.05; done; ${step}`,
      );
      assert.equal(await readFile(pathOf("github.env"), "utf8"), "EARLIER=1\n");
    });
  });

  it("refuses an integer that JavaScript rounds, with its name and without its value", async () => {
    command.sandbox.projects[0]!.codeRepository.importRepository = { url: "c4nary" };
    const outputs = await stackOutputsOf(command.sandbox, "shop");
    for (const [number, message] of [
      ["12345678901234567890", /IMPORT_REPOSITORY_… in standard input is an integer of more than/],
      ["9007199254740992", /IMPORT_REPOSITORY_… in standard input is an integer of more than/],
    ] as const) {
      await writeFile(pathOf("outputs.json"), outputs.replace('"c4nary"', number));
      await assertFails(
        "live --format json --credentials --output live.env <outputs.json",
        message,
      );
    }
    await writeFile(pathOf("outputs.json"), outputs.replace('"c4nary"', "-9007199254740991"));
    const args = "live --format json --credentials --output live.env <outputs.json";
    assert.equal((await env(args)).code, 0);
    assert.match(await readFile(pathOf("live.env"), "utf8"), /: -9007199254740991[,\n]/);
  });

  it("refuses input that is not UTF-8", async () => {
    const outputs = Buffer.from(await stackOutputsOf(command.sandbox, "shop"));
    const at = outputs.indexOf("shop");
    outputs[at] = 0xe9;
    await writeFile(pathOf("outputs.json"), outputs);
    await assertFails("live --format json <outputs.json", /^Standard input is not UTF-8 text\./);
  });

  for (const depth of [1_000, 20_000, 200_000]) {
    it(`writes or refuses JSON that is nested ${depth} times, with one line`, async () => {
      command.sandbox.projects[0]!.codeRepository.importRepository = { url: "c4nary" };
      const outputs = await stackOutputsOf(command.sandbox, "shop");
      const nested = `${"[".repeat(depth)}1${"]".repeat(depth)}`;
      await writeFile(pathOf("outputs.json"), outputs.replace('"c4nary"', nested));
      const args = "live --format json --credentials --output live.env <outputs.json";
      const { code, stderr } = await env(args);
      if (code === 0) assert.equal(stderr, "");
      else assert.match(stderr, /^[^\n]*nested too deeply[^\n]*\n$/);
      assert.equal(code === 0, depth === 1_000);
    });
  }

  it("refuses --output for GitHub's file, which must keep its other lines", () =>
    assertFails("live --format github --output github.env <outputs.json", />>"\$GITHUB_ENV"/));

  it("says nothing if the reader of its output ends early", async () => {
    const { stderr } = await env(
      "live --format shell <outputs.json; } | { exec <&-; touch ended; }",
      "{ until [ -e ended ]; do sleep 0.05; done; ",
    );
    assert.equal(stderr, "");
  });

  for (const [what, input, args, message] of [
    ["no input", "", "live", /^Standard input is empty\. .*pulumi stack output --json \|/],
    ["a table", "OUTPUT  VALUE\ncredentials c4nary", "live", /^Standard input is not JSON\./],
    ["a list", "[]", "live", /must be a JSON object with all outputs/],
    [
      "no such output",
      '{"a":1,"b":2}',
      "live",
      /^There is no output project in standard input, which has these outputs: a, b\..*--project-output/,
    ],
    [
      "a hidden project",
      '{"project":"[secret]"}',
      "live",
      /^The output project .* is hidden: .*--show-secrets/,
    ],
    [
      "another shape",
      '{"project":{"projectId":"p","name":7}}',
      "live",
      /^The output project in standard input does not have the shape .* project: environments is missing\./,
    ],
    [
      "an unknown environment",
      undefined,
      "moon",
      /^The project shop has no environment moon\. It has live, stage, test\./,
    ],
    ["no environment", undefined, "", /needs the id of an environment/],
    ["two environments", undefined, "live stage", /takes one environment id, so stage is too much/],
    [
      "an unknown format",
      undefined,
      "live --format yaml",
      /^--format yaml must be one of dotenv, github/,
    ],
    [
      "a prefix that no shell accepts",
      undefined,
      "live --prefix 1-",
      /^--prefix 1- must have letters/,
    ],
  ] as const) {
    it(`fails with one line, and prints nothing, for ${what}`, async () => {
      if (input !== undefined) await writeFile(pathOf("outputs.json"), input);
      const format = args.includes("--format") ? "" : "--format shell";
      await assertFails(`${args} ${format} <outputs.json`, message);
    });
  }

  it("refuses the credentials of another project", async () => {
    const shop = JSON.parse(await readFile(pathOf("outputs.json"), "utf8")) as object;
    const { credentials } = JSON.parse(await stackOutputsOf(command.sandbox, "blog")) as {
      credentials: object;
    };
    await writeFile(pathOf("outputs.json"), JSON.stringify({ ...shop, credentials }));
    await assertFails(
      "live --format json --credentials --output live.env <outputs.json",
      /^The output credentials in standard input has the credentials of another project than the output project\./,
    );
  });

  it("refuses credentials of the same project that lack a database", async () => {
    const outputs = JSON.parse(await readFile(pathOf("outputs.json"), "utf8")) as {
      credentials: { databases: { live: unknown[] } };
    };
    outputs.credentials.databases.live.pop();
    await writeFile(pathOf("outputs.json"), JSON.stringify(outputs));
    await assertFails(
      "live --format json --credentials --output live.env <outputs.json",
      /^The output credentials does not have the credentials of the databases of environment live in the output project\./,
    );
  });

  it("asks for the secrets if Pulumi hides the credentials", async () => {
    const outputs = JSON.parse(await readFile(pathOf("outputs.json"), "utf8")) as object;
    await writeFile(
      pathOf("outputs.json"),
      JSON.stringify({ ...outputs, credentials: "[secret]" }),
    );
    await assertFails(
      "live --format json --credentials --output live.env <outputs.json",
      /^The output credentials in standard input is hidden: .*pulumi stack output --json --show-secrets/,
    );
  });

  it("prints its help on 80 columns", async () => {
    const { code, stdout } = await env("--help");
    assert.equal(code, 0);
    assert.ok(stdout.split("\n").every((line) => line.length <= 80));
  });
});
