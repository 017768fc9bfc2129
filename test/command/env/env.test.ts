import assert from "node:assert/strict";
import { chmod, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { isMaskable, masksOf } from "../../../command/env/masks.js";
import { pathsOf, projectFields } from "../../../provider/model/projectFields.js";
import { isComparable } from "../../../provider/model/projectFilter.js";
import { credentialsIn, LeakSearch } from "../../support/leakSearch.js";
import { stackOutputsOf } from "../../support/stackOutputs.js";
import { assertFailed, useCommandProcess } from "../commandProcess.js";

describe("pulumi-project-service env", () => {
  const command = useCommandProcess();
  const read = (name: string) => readFile(command.pathOf(name), "utf8");
  const outputs = () => stackOutputsOf(command.sandbox, "shop");

  /** Runs the command with the outputs of a stack, and searches what it prints for credentials. */
  async function env(args: string, input?: string | Buffer, variables = {}) {
    const words = ["env", ...args.split(" ")];
    const result = await command.run(words, variables, input ?? (await outputs()));
    const search = new LeakSearch(credentialsIn(command.sandbox.projects));
    search.text("the output", `${result.stdout}${result.stderr} `);
    return result;
  }

  async function assertFails(args: string, message: RegExp, input?: string | Buffer) {
    const result = await env(args, input);
    assertFailed(result, message);
    assert.match(result.stderr, /^[^\n]+\n$/, "one line");
    assert.deepEqual(await readdir(command.directory), []);
  }

  /** Returns the variables with the credentials. */
  async function variablesOf(args = "", input?: string): Promise<[string, unknown][]> {
    const { code, stderr } = await env(`${toFile}${args}`, input);
    assert.equal(code, 0, stderr);
    return Object.entries(JSON.parse(await read("live.env")) as object);
  }

  const shop = () => command.sandbox.projects[0] ?? assert.fail();
  const live = () => shop().projectEnvironments[0] ?? assert.fail();
  const databases = () => live().projectEnvironmentDatabases.databases;
  const toFile = "live --format json --credentials --database shop_live --output live.env";

  it("prints the project and the environment, by the paths of their fields, without credentials", async () => {
    const { code, stdout, stderr } = await env("live --format json");
    assert.deepEqual([code, stderr], [0, ""]);
    assert.deepEqual(JSON.parse(stdout), {
      PROJECT_ID: "p-1",
      PROJECT_NAME: "shop",
      PROJECT_TYPE: "MAGENTO",
      PROJECT_STATUS: "DEPLOYED",
      PROJECT_DOMAIN: "shop.example.com",
      PROJECT_CODE_REPOSITORY_GIT_HOST: "git.example.com",
      PROJECT_CODE_REPOSITORY_GROUP: "retail",
      PROJECT_CODE_REPOSITORY_NAME: "shop",
      PROJECT_CODE_REPOSITORY_SSH_REPO_URL: "git@git.example.com:retail/shop.git",
      PROJECT_ENVIRONMENT_ID: "live",
      PROJECT_BRANCH_NAME: "main",
      PROJECT_BRANCH_GUARDED: true,
      PROJECT_CURRENT_TAG: "v2.1.0",
      PROJECT_WEBROOT: "/var/www/shop/live/current/public",
      PROJECT_WEB_SERVER: "APACHE",
      PROJECT_DEPLOYMENTS_TO_KEEP: 5,
      PROJECT_DEPLOYMENT_TARGET_GROUP_IDS_CODE: "tg-live-code",
      PROJECT_DEPLOYMENT_TARGET_GROUP_IDS_ASSETS: "tg-live-assets",
      PROJECT_DEPLOYMENT_TARGET_GROUP_IDS_DATABASES: "tg-live-databases",
    });
    // A new field is a variable, or is named here and in docs/pipelines.md.
    const without =
      /^(has[A-Z]\w+|order|initialized\.databases|codeRepository\.(repositoryId|gitProvider)|missingFields)$/;
    const single = pathsOf(projectFields, isComparable)
      .map((path) => path.replace(/^environments\./, ""))
      .filter((path) => !/^(assetGroups|databases|symLinks)\./.test(path) && !without.test(path));
    assert.equal(single.length, Object.keys(JSON.parse(stdout) as object).length, single.join());
  });

  it("writes the credentials of one database, under names that are the same everywhere", async () => {
    const [first] = databases();
    Object.assign(first!, { name: "shop größe", password: "a@b/c" });
    const args = toFile.replace("shop_live", "NAME").split(" ");
    const url = "mysql://db.example.com:3306?charset=utf8mb4";
    const words = ["env", ...args, "--prefix", "SHOP_", "--database-url", url];
    const named = words.map((word) => (word === "NAME" ? "shop größe" : word));
    assert.equal((await command.run(named, {}, await outputs())).code, 0);
    const user = first!.username;
    const entries = Object.entries(JSON.parse(await read("live.env")) as object);
    // GitLab accepts 20, and none of a database.
    assert.ok(entries.length - 5 <= 20, `${entries.length - 5} variables without a database`);
    assert.deepEqual(entries.slice(-5), [
      ["SHOP_DATABASE_NAME", "shop größe"],
      ["SHOP_DATABASE_TYPE", first!.databaseType],
      ["SHOP_DATABASE_USERNAME", user],
      ["SHOP_DATABASE_PASSWORD", "a@b/c"],
      [
        "SHOP_DATABASE_URL",
        `mysql://${user}:a%40b%2Fc@db.example.com:3306/shop%20gr%C3%B6%C3%9Fe?charset=utf8mb4`,
      ],
    ]);
  });

  it("takes the only database, and names them all if it cannot choose", async () => {
    const args = toFile.replace(" --database shop_live", "");
    await assertFails(
      args,
      /^Environment live .* has 2 databases\. Set --database .* shop_live, shop_sea/,
    );
    const unknown = toFile.replace("shop_live", "shop_lives");
    await assertFails(
      unknown,
      /has no database "shop_lives"\. Did you mean shop_live\? Known databases/,
    );
    databases().splice(1);
    assert.equal((await env(args)).code, 0);
    assert.match(await read("live.env"), /"PROJECT_DATABASE_NAME": "shop_live"/);
  });

  it("does not choose between databases of one name, and takes nothing of no database", async () => {
    for (const database of databases()) database.name = "shop_live";
    await assertFails(toFile, /has several databases with that name\. Rename one/);
    databases().splice(0);
    await assertFails(toFile, /^Environment live of project p-1 \(shop\) has no databases\.$/m);
  });

  it("gives each database its own credentials if the service omits associationId", async () => {
    for (const database of databases())
      delete (database as { associationId?: number }).associationId;
    const [, second] = databases();
    const { name, username } = second!;
    const args = toFile.replace("shop_live", name);
    assert.equal((await env(args)).code, 0);
    const { PROJECT_DATABASE_USERNAME: written } = JSON.parse(await read("live.env")) as Record<
      string,
      unknown
    >;
    assert.equal(written, username);
  });

  it("leaves out fields that the service omits", async () => {
    delete (live().projectEnvironmentCode as { branch?: unknown }).branch;
    const { stdout } = await env("live --format gitlab");
    assert.match(stdout, /^PROJECT_WEBROOT=\/var\/www\/shop\/live\/current\/public$/m);
    assert.doesNotMatch(stdout, /BRANCH/);
  });

  it("takes the outputs by other names", async () => {
    const { project, credentials } = JSON.parse(await outputs()) as Record<string, unknown>;
    const input = JSON.stringify({ a: project, b: credentials });
    const variables = await variablesOf(" --project-output a --credentials-output b", input);
    assert.equal(variables.length, 23);
  });

  it("writes credentials only into a file that only the owner may read", async () => {
    await writeFile(command.pathOf("live.env"), "earlier");
    await chmod(command.pathOf("live.env"), 0o644);
    const umask = process.umask(0);
    const args = toFile.replace("json", "dotenv");
    const { code, stdout, stderr } = await env(args).finally(() => process.umask(umask));
    assert.deepEqual([code, stdout, stderr], [0, "", ""]);
    assert.equal((await stat(command.pathOf("live.env"))).mode & 0o777, 0o600);
    assert.ok((await read("live.env")).includes(`_PASSWORD='${databases()[0]!.password}'`));
    assert.deepEqual(await readdir(command.directory), ["live.env"]);
  });

  for (const tag of ["##vso[task.complete]", "v1\n::stop-commands::x", "a\u0007b"]) {
    it(`does not print ${JSON.stringify(tag)}, which a log could run, but writes it`, async () => {
      live().projectEnvironmentCode.currentTag = tag;
      await assertFails("live --format shell", /^The value of PROJECT_CURRENT_TAG contains ##, ::/);
      const { stdout } = await env("live --format json");
      assert.doesNotMatch(stdout, /##|\n::|\u0007/);
      const { PROJECT_CURRENT_TAG: printed } = JSON.parse(stdout) as Record<string, unknown>;
      assert.equal(printed, tag);
      await env("live --format shell --output live.env");
      assert.ok((await read("live.env")).includes(tag));
    });
  }

  it("prints it into a file", async () => {
    live().projectEnvironmentCode.currentTag = "##vso[task.complete]";
    await writeFile(command.pathOf("outputs.json"), await outputs(), { mode: 0o600 });
    await command.runInShell("env live --format shell <outputs.json >live.env");
    assert.match(await read("live.env"), /_TAG='##vso\[task\.complete\]'$/m);
  });

  it("masks each line of each credential in a job on GitHub, and leaves $GITHUB_ENV alone", async () => {
    await writeFile(command.pathOf("github.env"), "EARLIER=1\n");
    Object.assign(databases()[0]!, { username: "us%er", password: "line 1\n\n  \nline 3: ü" });
    const job = { GITHUB_ACTIONS: "true", GITHUB_ENV: "github.env" };
    const words = ["env", ...toFile.split(" ")];
    const { code, stdout, stderr } = await command.run(words, job, await outputs());
    assert.deepEqual([code, stdout], [0, ""]);
    // The runner unescapes %25. The URL of a database has credentials in its own encoding.
    const inUrl = ["us%2525er", "line%25201", "line%25203%253A%2520%25C3%25BC"];
    const lines = ["us%25er", "line 1", "line 3: ü", ...inUrl];
    assert.equal(stderr, lines.map((line) => `::add-mask::${line}\n`).join(""));
    assert.equal(await read("github.env"), "EARLIER=1\n");
  });

  it("writes to no file that GitHub's runner reads", async () => {
    await writeFile(command.pathOf("runner"), "earlier\n");
    for (const name of ["ENV", "OUTPUT", "STATE", "STEP_SUMMARY"]) {
      const args = `live --format dotenv --credentials --output ${command.pathOf("runner")}`;
      const { code, stderr } = await env(args, undefined, { [`GITHUB_${name}`]: "runner" });
      assert.equal(code, 2);
      assert.match(stderr, /^--output cannot be a file of GitHub's runner\./);
      assert.equal(await read("runner"), "earlier\n");
    }
  });

  it("writes no mask into a file, and says that nothing is masked", async () => {
    await writeFile(command.pathOf("outputs.json"), await outputs(), { mode: 0o600 });
    const job = "GITHUB_ACTIONS=true; export GITHUB_ACTIONS; ";
    for (const args of [toFile, "live --format json --output live.env"]) {
      await command.runInShell(`env ${args} <outputs.json 2>log`, job);
      const log = await read("log");
      new LeakSearch(credentialsIn(command.sandbox.projects)).text("the log", `${log} `);
      const says = args === toFile ? /^Standard error is a file, so [^\n]+\n$/ : /^$/;
      assert.match(log, says);
      assert.match(await read("live.env"), /PROJECT_NAME/);
    }
  });

  it("refuses a line before which the runner finds no end of a command", () => {
    const variable = { name: "A", secret: true };
    // Runners ignore some of these, and take the others for a part of the colon before them.
    for (const first of "\0\u00ad\u0301\u0640\u0e33\u200b\u200d\ufe0f\ufeff\u{1f3fb}\u{e0041}") {
      const value = `line 1\n${first}s3cr3t`;
      assert.equal(isMaskable({ ...variable, value }), false, value);
    }
    assert.ok(isMaskable({ ...variable, value: "\tü\nü\u0301\n密" }));
    const masks = "::add-mask::\tü\n::add-mask::ü\u0301\n::add-mask::密\n";
    assert.ok(masksOf([{ ...variable, value: "\tü\nü\u0301\n密" }]).startsWith(masks));
    assert.match(masksOf([{ ...variable, value: "a%\rb" }]), /^::add-mask::a%25%0Db\n/);
  });

  it("writes no credential that it cannot mask in a job on GitHub", async () => {
    databases()[0]!.password = "\u200bs3cr3t";
    const result = await env(toFile, undefined, { GITHUB_ACTIONS: "true" });
    assertFailed(result, /^GitHub cannot mask [A-Z_]+_PASSWORD: [^\n]+ run\.\n$/);
    assert.deepEqual(await readdir(command.directory), []);
  });

  it("refuses a number that JavaScript cannot keep exactly, and a value that Pulumi hides", async () => {
    live().projectEnvironmentCode.webroot = "[secret]";
    await assertFails(toFile, /^The value of PROJECT_WEBROOT .* hidden: .*--show-secrets/);
    live().projectEnvironmentCode.webroot = "/var/www";
    const json = await outputs();
    for (const [number, isExact] of [
      ["12345678901234567890", false],
      ["9007199254740991", true],
    ] as const) {
      const input = json.replace(/"deploymentsToKeep":5/, `"deploymentsToKeep":${number}`);
      if (isExact) await variablesOf("", input);
      else await assertFails(toFile, /^The value of PROJECT_DEPLOYMENTS_TO_KEEP is a nu/, input);
    }
  });

  it("refuses the credentials of another project", async () => {
    const { project } = JSON.parse(await outputs()) as { project: object };
    const ofBlog = JSON.parse(await stackOutputsOf(command.sandbox, "blog")) as object;
    const message = /^The output credentials .* does not belong to the same project/;
    await assertFails(toFile, message, JSON.stringify({ ...ofBlog, project }));
  });

  for (const { input, message } of [
    { input: "OUTPUT\nc4nary", message: /^Standard input is not valid JSON\. Pass the JSON/ },
    { input: " \n", message: /^Standard input is empty\. Pass the JSON/ },
    { input: "[]", message: /must be a JSON object with all outputs/ },
    { input: Buffer.from([0xe9]), message: /^Standard input is not UTF-8 text\./ },
    { input: '{"a":1,"b":2}', message: /^There is no output project .*-output/ },
    { input: '{"project":"[secret]"}', message: /^The output project .*--show-secrets/ },
    {
      input: '{"project":null}',
      message: /^Pulumi could not decrypt the output project\. Check P/,
    },
    { input: '{"project":{"name":7}}', message: /^The output project .* is missing\./ },
  ]) {
    it(`refuses the input ${JSON.stringify(input)}`, () =>
      assertFails("live --format shell", message, input));
  }

  it("fails with one line, and writes nothing, for a refused value", async () => {
    live().projectEnvironmentCode.currentTag = "v1\r";
    for (const args of ["dotenv", "github", "gitlab", "dotenv --output live.env"]) {
      await assertFails(`live --format ${args}`, / cannot carry PROJECT_CURRENT_TAG: /);
    }
  });

  for (const [args, message] of Object.entries({
    "moon --format shell": /has no environment "moon"\. Known environments: live, stage, t/,
    "--format shell": /^The command needs the id of one environment\. Pass --help/,
    "a b --format shell": /^The command needs the id of one environment, not a b\./,
    "live --format x": /^--format x must be one of dotenv, dotenv-expand, docker, github,/,
    "live --format shell --prefix 1-": /^--prefix 1- may contain only letters, digits/,
    "live --format shell --credentials": /^--credentials needs --output <file>,/,
    "live --format shell --database a": /^--database needs --credentials\.$/m,
    "live --format shell --database-url a": /^--database-url needs --credentials\.$/m,
    "live --format shell --credentials-output a": /^--credentials-output needs --credentials\.$/m,
    "live --format shell --connection a": /^--connection needs --project\.$/m,
    "live --format shell --stack a": /^--stack needs --project\.$/m,
    "live --format shell --output /dev/stdout": /^Writing \/dev\/stdout f/,
    "live --format gitlab --credentials --output x": /^--credentials .* --format gitlab, because/,
    "live --format github --credentials --output x": /^--credentials .* --format github, because/,
    "live --format json --credentials --output x --database-url mysql://u:p@db/x":
      /^--database-url must be an address without a user, a path or a repeated key, such as mysql:/,
    "live --format github --output x": /^--output cannot .* Append .*: >>"\$GITHUB_ENV"\.$/m,
  })) {
    it(`fails with one line, and writes nothing, for ${args}`, () => assertFails(args, message));
  }
});
