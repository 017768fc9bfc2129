import assert from "node:assert/strict";
import { chmod, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { pathsOf, projectFields } from "../../../provider/model/projectFields.js";
import { isComparable } from "../../../provider/model/projectFilter.js";
import { credentialsIn, LeakSearch } from "../../support/leakSearch.js";
import { stackOutputsOf } from "../../support/stackOutputs.js";
import { assertFailed, type Result, useCommandProcess } from "../commandProcess.js";

describe("pulumi-project-service env", () => {
  const command = useCommandProcess();
  const read = (name: string) => readFile(command.pathOf(name), "utf8");

  /** Runs the command with a project of the service, and searches what it prints for credentials. */
  async function env(args: string, variables = {}) {
    return search(await command.run(["env", ...args.split(" "), "--project", "shop"], variables));
  }

  /** Runs the command with the outputs of a stack. */
  async function envOfStack(args: string, outputs: string) {
    return search(
      await command.run(["env", ...args.split(" ")], await command.withOutputs(outputs)),
    );
  }

  function search(result: Result): Result {
    const leaks = new LeakSearch(credentialsIn(command.sandbox.projects));
    leaks.text("the output", `${result.stdout}${result.stderr} `);
    return result;
  }

  async function assertFails(args: string, message: RegExp) {
    const result = await env(args);
    assertFailed(result, message);
    assert.match(result.stderr, /^[^\n]+\n$/, "one line");
    assert.deepEqual(await readdir(command.directory), []);
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
    const url = "mysql://db.example.com:3306?charset=utf8mb4&timezone=+02:00";
    const words = ["env", ...args, "--prefix", "SHOP_", "--database-url", url, "--project", "shop"];
    const named = words.map((word) => (word === "NAME" ? "shop größe" : word));
    assert.equal((await command.run(named)).code, 0);
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
        `mysql://${user}:a%40b%2Fc@db.example.com:3306/shop%20gr%C3%B6%C3%9Fe?charset=utf8mb4&timezone=%2B02%3A00`,
      ],
    ]);
  });

  it("takes the only database, and names them all if it cannot choose", async () => {
    const args = toFile.replace(" --database shop_live", "");
    await assertFails(
      args,
      /^Environment live .* has 2 databases\. Set --database .* shop_live, shop_sea/,
    );
    databases().splice(1);
    assert.equal((await env(args)).code, 0);
    assert.match(await read("live.env"), /"PROJECT_DATABASE_NAME": "shop_live"/);
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

  for (const tag of ["##vso[task.complete]", "v1\n::stop-commands::x"]) {
    it(`does not print ${JSON.stringify(tag)}, which a log could run, but writes it`, async () => {
      live().projectEnvironmentCode.currentTag = tag;
      await assertFails(
        "live --format dotenv",
        /^The value of PROJECT_CURRENT_TAG contains ##, ::/,
      );
      const { stdout } = await env("live --format json");
      assert.doesNotMatch(stdout, /##|\n::|\u0007/);
      const { PROJECT_CURRENT_TAG: printed } = JSON.parse(stdout) as Record<string, unknown>;
      assert.equal(printed, tag);
      await env("live --format dotenv --output live.env");
      assert.ok((await read("live.env")).includes(tag));
    });
  }

  it("writes to no file that GitHub's runner reads", async () => {
    await writeFile(command.pathOf("runner"), "earlier\n");
    for (const name of ["ENV", "OUTPUT", "STATE", "STEP_SUMMARY"]) {
      const args = `live --format dotenv --credentials --output ${command.pathOf("runner")}`;
      const { code, stderr } = await env(args, { [`GITHUB_${name}`]: "runner" });
      assert.equal(code, 2);
      assert.match(
        stderr,
        /^--output would replace a file of GitHub's runner\. Append .*: >>"\$GITHUB_ENV"\.$/m,
      );
      assert.equal(await read("runner"), "earlier\n");
    }
  });

  it("prints no value into a log, but into a file, and no variable of a field that the service omits", async () => {
    delete (live().projectEnvironmentCode as { branch?: unknown }).branch;
    live().projectEnvironmentCode.currentTag = "##vso[task.complete]";
    await command.runInShell("env live --project shop --format dotenv >live.env");
    assert.match(await read("live.env"), /_TAG='##vso\[task\.complete\]'$/m);
    assert.doesNotMatch(await read("live.env"), /BRANCH/);
  });

  it("takes the outputs of the stack, decrypted only if credentials are asked for", async () => {
    // The service can omit it.
    for (const each of databases()) delete (each as { associationId?: number }).associationId;
    const outputs = await stackOutputsOf(command.sandbox, "shop");
    const variables = await command.withOutputs(outputs);
    const words = ["env", "live", "--format", "json", "--stack", "dev"];
    const plain = search(await command.run(words, variables));
    assert.equal(plain.stdout, (await env("live --format json")).stdout);
    const ofSecond = toFile.replace("shop_live", databases()[1]!.name);
    search(await command.run(["env", ...ofSecond.split(" ")], variables));
    const recorded = await read("live.env");
    await env(ofSecond);
    assert.equal(recorded, await read("live.env"));
    assert.equal(
      await read("bin/calls"),
      "stack output --json --non-interactive --stack dev\nstack output --json --show-secrets --non-interactive\n",
    );
  });

  it("refuses a value that Pulumi hides", async () => {
    live().projectEnvironmentCode.webroot = "[secret]";
    const hidden = await envOfStack(toFile, await stackOutputsOf(command.sandbox, "shop"));
    assertFailed(hidden, /^A value of the output project .* hidden: .*--credentials/);
  });

  it("refuses the credentials of another project", async () => {
    const { project } = JSON.parse(await stackOutputsOf(command.sandbox, "shop")) as object & {
      project: unknown;
    };
    const ofBlog = JSON.parse(await stackOutputsOf(command.sandbox, "blog")) as object;
    const message =
      /^The outputs of the stack .* credentials and project belong to different projects/;
    assertFailed(await envOfStack(toFile, JSON.stringify({ ...ofBlog, project })), message);
  });

  for (const [outputs, message] of [
    ['{"a":1,"b":2}', /^There is no output project .* or pass --project\./],
    ['{"project":null}', /^Pulumi could not decrypt the output project\. Check P/],
    ['{"project":{"name":7}}', /^The outputs of the stack .* project\.projectId is missing\./],
  ] as const) {
    it(`refuses the outputs ${outputs}`, async () =>
      assertFailed(await envOfStack("live --format json", outputs), message));
  }

  for (const [args, message] of Object.entries({
    "moon --format dotenv": /has no environment "moon"\. Known environments: live, stage, t/,
    "--format dotenv": /^The command needs the id of one environment\. Pass --help/,
    "a b --format dotenv": /^The command needs the id of one environment, not a b\./,
    "live --format x":
      /^--format x is unknown\. Known values: dotenv, docker, github, gitlab, json\./,
    "live --format dotenv --prefix 1-": /^--prefix 1- may contain only letters, digits/,
    "live --format dotenv --credentials": /^--credentials needs --output <file>,/,
    "live --format dotenv --database a": /^--database needs --credentials\.$/m,
    "live --format dotenv --database-url a": /^--database-url needs --credentials\.$/m,
    "live --format dotenv --output /dev/stdout": /^Writing \/dev\/stdout f/,
    "live --format gitlab --credentials --output x": /^--credentials .* --format gitlab, because/,
    "live --format github --credentials --output x": /^--credentials .* --format github, because/,
    "live --format json --credentials --output x --database-url mysql://u:p@db/x":
      /^--database-url must have a protocol and a host, but no user, path or repeated parameter, such as/,
    "live --format json --credentials --output x --database-url mysql://db?a=1&a=2":
      /^--database-url must have a protocol and a host, but no user, path or repeated parameter, such as/,
  })) {
    it(`fails with one line, and writes nothing, for ${args}`, () => assertFails(args, message));
  }
});
