import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { LeakSearch, secretsOf } from "../../support/leakSearch.js";
import { cli, useCommandProcess } from "../commandProcess.js";

describe("pulumi-project-service run", () => {
  const command = useCommandProcess();
  const live = () => command.sandbox.projects[0]!.projectEnvironments[0]!;
  const database = () => live().projectEnvironmentDatabases.databases[0]!;
  const ofShop = ["live", "--project", "shop"];
  const withCredentials = [...ofShop, "--credentials", "--database", "shop_live"];
  const printed = ["--", process.execPath, "-p", "JSON.stringify(process.env)"];

  function run(args: readonly string[], changes = {}) {
    return command.execute(process.execPath, [cli, "run", ...args], changes);
  }

  it("gives the command the variables, and the credentials only if they are asked for", async () => {
    const password = "$ \" ' \\ # % @ : / \n😀 ";
    database().password = password;
    const parent = { PROJECT_NAME: "parent", KEPT: "1", PROJECT_WEBROOT: "/of/parent" };
    delete (
      command.sandbox.projects[0]!.projectEnvironments[0]!.projectEnvironmentCode as {
        webroot?: string;
      }
    ).webroot;
    const without = await run([...ofShop, ...printed], parent);
    const { PROJECT_NAME, PROJECT_ID, KEPT, ...others } = JSON.parse(
      without.stdout,
    ) as NodeJS.ProcessEnv;
    assert.deepEqual([PROJECT_NAME, PROJECT_ID, KEPT, without.stderr], ["shop", "p-1", "1", ""]);
    assert.ok(!("PROJECT_WEBROOT" in others), "the webroot of another project");
    assert.doesNotMatch(without.stdout, /PROJECT_DATABASE_/);
    new LeakSearch(secretsOf(command.sandbox)).text("the environment", without.stdout);
    const url = { PROJECT_DATABASE_URL: "mysql://another" };
    const { stdout } = await run([...withCredentials, ...printed], url);
    const { PROJECT_DATABASE_PASSWORD, PROJECT_DATABASE_URL } = JSON.parse(stdout) as typeof others;
    assert.equal(PROJECT_DATABASE_PASSWORD, password);
    assert.equal(PROJECT_DATABASE_URL, undefined, "the URL of another database");
    assert.deepEqual(await readdir(command.directory), []);
  });

  it("removes the variables of another run that it does not set, by their new names", async () => {
    Object.assign(live().projectEnvironmentCode, { currentTag: null });
    const names = ["NAME", "TYPE", "USERNAME", "PASSWORD", "URL"].map(
      (end) => `PROJECT_DATABASE_${end}`,
    );
    const outer = Object.fromEntries(
      [...names, "TAG", "PROJECT_CURRENT_TAG"].map((name) => [name, "outer"]),
    );
    const rename = ["--rename", "PROJECT_CURRENT_TAG=TAG"];
    const { stdout } = await run([...ofShop, ...rename, ...printed], outer);
    const kept = Object.entries(JSON.parse(stdout) as object).filter(
      ([, value]) => value === "outer",
    );
    assert.deepEqual(kept, [["PROJECT_CURRENT_TAG", "outer"]], "run does not set the old name");
  });

  it("withholds the secrets of the settings, of every namespace", async () => {
    const withheld = ["PASSWORD", "CLIENT_SECRET", "HEADERS"].flatMap((name) =>
      ["", "SECOND_", "A1_B_"].map((namespace) => `PROJECT_SERVICE_${namespace}${name}`),
    );
    const kept = ["PROJECT_SERVICE_REALM", "PROJECT_SERVICE_PASSWORDS", "MY_PASSWORD"];
    const all = Object.fromEntries([...withheld, ...kept].map((name) => [name, "c4nary"]));
    const { PROJECT_SERVICE_REALM, PROJECT_SERVICE_PASSWORD } = command.sandbox.envVars;
    const own = { PROJECT_SERVICE_REALM, PROJECT_SERVICE_PASSWORD, PROJECT_SERVICE_HEADERS: "" };
    const clientSecret = { PROJECT_SERVICE_CLIENT_SECRET: "" };
    const { stdout } = await run([...ofShop, ...printed], { ...all, ...own, ...clientSecret });
    const names = Object.keys(JSON.parse(stdout) as object);
    assert.deepEqual(
      [...withheld, ...kept].filter((name) => names.includes(name)),
      kept,
    );
  });

  it("prints no credential in a job on GitHub", async () => {
    const job = { GITHUB_ACTIONS: "true" };
    const { code, stdout, stderr } = await run([...withCredentials, "--", "true"], job);
    assert.deepEqual([code, stdout, stderr], [0, "", ""]);
  });
});
