import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { LeakSearch, secretsOf } from "../../support/leakSearch.js";
import { assertFailed, cli, useCommandProcess } from "../commandProcess.js";

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
    const job = { GITHUB_ACTIONS: "true", PROJECT_DATABASE_URL: "mysql://another" };
    const { stdout, stderr } = await run([...withCredentials, ...printed], job);
    assert.equal(stderr, "", "no mask in a job");
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

  for (const [line, code, message = /^$/] of [
    ["true", 0],
    ["sh -c 'exit 7'", 7],
    ["sh -c 'kill -9 $$'", 137],
    // A shell can print which signal ended its command.
    ["sh -c 'kill -TERM $$'", 143, /^$|Terminated/],
    ["./plain", 126, /^\.\/plain did not start: EACCES\.$/m],
    [".", 127, /^There is no program \. on PATH\./],
    ["./plain/below", 126, /ENOTDIR/],
    ["./none", 127, /^\.\/none does not exist\.$/m],
    ["no-such-program", 127, /^There is no program no-such-program on PATH\./],
    ["'ls -la'", 127, /^There is no program ls … on PATH\. .* as separate words, or start a shell/],
    ["DB_PASSWORD=s3cr3t mysql", 127, /^There is no program DB_PASSWORD … on PATH\./],
    ["'./none -p s3cr3t'", 127, /^There is no program \.\/none … on PATH\. .* as separate words/],
    ["plain", 126, /plain did not start: EACCES/],
    ["./broken", 127, /^The interpreter in the first line of \.\/broken does not exist\.$/m],
  ] as const) {
    it(`ends with ${code} like env(1) for ${line}`, async () => {
      await writeFile(command.pathOf("plain"), "#!/bin/sh\n", { mode: 0o644 });
      await writeFile(command.pathOf("broken"), "#!/no/interpreter\n", { mode: 0o755 });
      const path = 'PATH="$PATH:$PWD"; export PATH; ';
      const byEnv = await command.execute("sh", ["-c", `${path}env ${line}; exit $?`]);
      const result = await command.runInShell(`run ${ofShop.join(" ")} -- ${line}; exit $?`, path);
      const shown = line === "." ? 126 : code;
      assert.deepEqual([result.code, byEnv.code], [code, shown], result.stderr);
      assert.equal(result.stdout, "");
      assert.match(result.stderr, message);
    });
  }

  const place =
    / The command stands after --: pulumi-project-service run <environmentId> -- <command>\. Yarn 1 and/;
  for (const [args, message] of [
    [["--colour", "live", "--", "true"], /^Unknown option --colour\.[^]*--help\.\n$/],
    [["live", "./deploy.sh"], place],
    [["live", "ls", "-la"], place],
    [["live", "--"], place],
    [
      ["liv", "--project", "shop", "--", "true"],
      /no environment "liv"\. Did you mean live\? Known env/,
    ],
    [
      ["live", "--", "true"],
      /^There is no Pulumi\.yaml in .* Either pass --project, or pass the folder/,
    ],
  ] as const) {
    it(`ends with 125, and nothing is started, for ${args.join(" ")}`, async () => {
      const { code, stdout, stderr } = await run(args);
      assert.deepEqual([code, stdout], [125, ""], stderr);
      assert.match(stderr, message);
    });
  }

  for (const [exitCode, what, value, message] of [
    [125, "NUL", "s3cr3t\0", /^The command cannot get PROJECT_DATABASE_PASSWORD: [^\n]*NUL/],
    [126, "more than the system allows", "s3cr3t".repeat(100_000), / did not start: E2BIG\. /],
  ] as const) {
    it(`ends with ${exitCode}, and nothing is started, for a value with ${what}`, async () => {
      database().password = value;
      const { code, stdout, stderr } = await run([...withCredentials, "--", "echo", "started"]);
      assert.deepEqual([code, stdout], [exitCode, ""], stderr);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /s3cr3t/);
    });
  }

  it("ends with 126 for a batch file on Windows, with the words cmd /c", async () => {
    const { platform } = process;
    Object.defineProperty(process, "platform", { value: "win32" });
    try {
      const result = await command.run(["run", ...ofShop, "--", ".\\deploy.cmd"]);
      assertFailed(result, /is a batch file .* Or let cmd start it: -- cmd \/c /, 126);
    } finally {
      Object.defineProperty(process, "platform", { value: platform });
    }
  });
});
