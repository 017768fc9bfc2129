import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter } from "node:path";
import { LeakSearch, secretsOf } from "../../support/leakSearch.js";
import { stackOutputsOf } from "../../support/stackOutputs.js";
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

  it("withholds the secrets of the settings, of every namespace", async () => {
    const withheld = ["PASSWORD", "CLIENT_SECRET", "HEADERS"].flatMap((name) =>
      ["", "SECOND_", "A1_B_"].map((namespace) => `PROJECT_SERVICE_${namespace}${name}`),
    );
    const kept = ["PROJECT_SERVICE_REALM", "PROJECT_SERVICE_PASSWORDS", "MY_PASSWORD"];
    const all = Object.fromEntries([...withheld, ...kept].map((name) => [name, "c4nary"]));
    const { PROJECT_SERVICE_REALM, PROJECT_SERVICE_PASSWORD } = command.sandbox.environment;
    const own = { PROJECT_SERVICE_REALM, PROJECT_SERVICE_PASSWORD, PROJECT_SERVICE_HEADERS: "" };
    const clientSecret = { PROJECT_SERVICE_CLIENT_SECRET: "" };
    const { stdout } = await run([...ofShop, ...printed], { ...all, ...own, ...clientSecret });
    const names = Object.keys(JSON.parse(stdout) as object);
    assert.deepEqual(
      [...withheld, ...kept].filter((name) => names.includes(name)),
      kept,
    );
  });

  it("takes the outputs of the stack itself, with secrets only if they are asked for", async () => {
    const all = await stackOutputsOf(command.sandbox, "shop");
    await writeFile(command.pathOf("all"), all, { mode: 0o600 });
    await mkdir(command.pathOf("bin"));
    const pulumi =
      '#!/bin/sh\necho "$*" >>calls\ncase "$*" in *--show-secrets*) cat all;; *) sed \'s/"credentials":.*/"credentials":"[secret]"}/\' all;; esac\n';
    await writeFile(command.pathOf("bin/pulumi"), pulumi, { mode: 0o755 });
    const PATH = command.pathOf("bin") + delimiter + process.env["PATH"];
    for (const args of [
      ["live", "--stack", "dev"],
      withCredentials.filter((_, i) => i % 5 !== 1),
    ]) {
      const words = args.filter((word) => word !== "shop" && word !== "--project");
      const { code, stdout, stderr } = await run([...words, ...printed], { PATH });
      assert.deepEqual([code, stderr], [0, ""]);
      const { PROJECT_DATABASE_PASSWORD } = JSON.parse(stdout) as NodeJS.ProcessEnv;
      const expected = args.includes("--credentials") ? database().password : undefined;
      assert.equal(PROJECT_DATABASE_PASSWORD, expected);
    }
    const calls = await readFile(command.pathOf("calls"), "utf8");
    assert.equal(
      calls,
      "stack output --json --non-interactive --stack dev\nstack output --json --show-secrets --non-interactive\n",
    );
  });

  it("prints masks first in a job on GitHub, and names what GitHub cannot mask", async () => {
    database().password = "\u200bs3cr3t";
    const job = { GITHUB_ACTIONS: "true" };
    const script = ["--", "sh", "-c", 'echo "started" >&2'];
    const { code, stdout, stderr } = await run([...withCredentials, ...script], job);
    assert.deepEqual([code, stdout], [0, ""]);
    assert.equal(
      stderr,
      `GitHub cannot mask PROJECT_DATABASE_PASSWORD. The log shows its value if the command prints it.\n::add-mask::${database().username}\nstarted\n`,
    );
  });
});
