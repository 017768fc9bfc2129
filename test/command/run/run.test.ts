import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { credentialsIn, LeakSearch, secretsOf } from "../../support/leakSearch.js";
import { stackOutputsOf } from "../../support/stackOutputs.js";
import { toolOrSkip } from "../../support/toolOrSkip.js";
import { cli, useCommandProcess } from "../commandProcess.js";

const execFileOf = promisify(execFile);

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

  /** Starts a script, and waits until it prints a line. */
  async function start(script: string, args = ofShop) {
    const { directory: cwd, sandbox } = command;
    const env = { ...sandbox.environment, PATH: process.env["PATH"] };
    const words = [cli, "run", ...args, "--", "sh", "-c", script];
    const child = spawn(process.execPath, words, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    await once(child.stdout, "data");
    child.stdout.pause();
    return child;
  }

  it("gives the command the variables, and the credentials only if they are asked for", async () => {
    const password = "$ \" ' \\ # % @ : / \n😀 ";
    database().password = password;
    const without = await run([...ofShop, ...printed], { PROJECT_NAME: "parent", KEPT: "1" });
    const { PROJECT_NAME, PROJECT_ID, KEPT } = JSON.parse(without.stdout) as NodeJS.ProcessEnv;
    assert.deepEqual([PROJECT_NAME, PROJECT_ID, KEPT, without.stderr], ["shop", "p-1", "1", ""]);
    assert.doesNotMatch(without.stdout, /PROJECT_DATABASE_/);
    new LeakSearch(secretsOf(command.sandbox)).text("the environment", without.stdout);
    const { stdout } = await run([...withCredentials, ...printed]);
    assert.equal((JSON.parse(stdout) as NodeJS.ProcessEnv)["PROJECT_DATABASE_PASSWORD"], password);
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
    await writeFile(command.pathOf("all"), await stackOutputsOf(command.sandbox, "shop"));
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

  for (const [line, code] of [
    ["true", 0],
    ["sh -c 'exit 7'", 7],
    ["sh -c 'exit 125'", 125],
    ["sh -c 'kill -9 $$'", 137],
    ["sh -c 'kill -TERM $$'", 143],
    ["./plain", 126],
    [".", 127],
    ["./folder", 126],
    ["./plain/below", 126],
    ["./none", 127],
    ["no-such-program", 127],
    ["./broken", 127],
  ] as const) {
    it(`ends with ${code} like env(1) for ${line}`, async () => {
      await writeFile(command.pathOf("plain"), "#!/bin/sh\n", { mode: 0o644 });
      await writeFile(command.pathOf("broken"), "#!/no/interpreter\n", { mode: 0o755 });
      await mkdir(command.pathOf("folder"));
      const byEnv = await command.execute("sh", ["-c", `env ${line}; exit $?`]);
      const result = await command.runInShell(`run ${ofShop.join(" ")} -- ${line}; exit $?`);
      const shown = line === "." ? 126 : code;
      assert.deepEqual([result.code, byEnv.code], [code, shown], result.stderr);
      assert.equal(result.stdout, "");
    });
  }

  for (const [args, message] of [
    [["--colour", "live", "--", "true"], /^There is no option --colour\./],
    [
      ["live", "./deploy.sh"],
      /^run needs a command after --: pulumi-project-service run live -- </,
    ],
    [["live", "--"], /^run needs a command after --: /],
    [["moon", "--project", "shop", "--", "true"], /has no environment "moon"\. Its environments/],
    [["live", "--", "true"], /^Reading the outputs of the stack failed: .* --project\.$/m],
  ] as const) {
    it(`ends with 125 and starts nothing for ${args.join(" ")}`, async () => {
      const { code, stdout, stderr } = await run(args);
      assert.deepEqual([code, stdout], [125, ""], stderr);
      assert.match(stderr, message);
    });
  }

  for (const [what, value, message] of [
    ["NUL", "s3cr3t\0", /^An environment cannot carry PROJECT_DATABASE_PASSWORD: [^\n]*NUL/],
    [
      "more than the system allows",
      "s3cr3t".repeat(100_000),
      / did not start: E2BIG\. The system allows less/,
    ],
  ] as const) {
    it(`ends with 125 and starts nothing for a value with ${what}`, async () => {
      database().password = value;
      const { code, stdout, stderr } = await run([...withCredentials, "--", "echo", "started"]);
      assert.deepEqual([code, stdout], [125, ""], stderr);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /s3cr3t/);
    });
  }

  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const) {
    it(`passes ${signal} on, and ends after the command`, async () => {
      const name = signal.slice(3);
      const script = `trap 'sleep 0.3; echo got; exit 3' ${name}; echo ready; while :; do sleep 0.05; done`;
      const child = await start(script);
      const rest = text(child.stdout);
      child.kill(signal);
      assert.deepEqual(await once(child, "exit"), [3, null]);
      assert.equal(await rest, "got\n");
    });
  }

  it("leaves Ctrl-C to the terminal, so that the command gets one signal", async function () {
    const script = await toolOrSkip(this, () => execFileOf("which", ["script"]));
    await writeFile(
      command.pathOf("work.sh"),
      "trap 'echo INT >>signals' INT; echo ready; sleep 1; sleep 1; echo end >>signals",
    );
    const line = `"${process.execPath}" "${cli}" run ${ofShop.join(" ")} -- sh work.sh`;
    const { directory: cwd, sandbox } = command;
    const env = { ...sandbox.environment, PATH: process.env["PATH"] };
    const child = spawn(script.stdout.trim(), ["-qc", line, "/dev/null"], { cwd, env });
    await once(child.stdout, "data");
    child.stdin.write("\u0003");
    await once(child, "exit");
    assert.equal(await readFile(command.pathOf("signals"), "utf8"), "INT\nend\n");
  });

  it("passes everything on that the command prints, also if its reader is slow", async () => {
    const size = 4_000_000;
    const child = await start(`echo; sleep 0.2; head -c ${size} /dev/zero`);
    const exited = once(child, "exit");
    await setTimeout(500);
    assert.equal((await text(child.stdout)).length, size);
    assert.deepEqual(await exited, [0, null]);
  });

  it("shows no credential in the arguments of a process, and writes no file", async () => {
    const child = await start("echo ready; exec sleep 10", withCredentials);
    const { pid } = child;
    const below = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
    const pids = [`${pid}`, ...below.trim().split(" ")];
    const lines = await Promise.all(pids.map((each) => readFile(`/proc/${each}/cmdline`, "utf8")));
    child.kill();
    assert.deepEqual(await once(child, "exit"), [143, null]);
    assert.match(lines.join(""), /sleep/);
    new LeakSearch(credentialsIn(command.sandbox.projects)).text("the arguments", lines.join(" "));
    assert.deepEqual(await readdir(command.directory), []);
  });

  it("prints masks first in a job on GitHub, and names what GitHub cannot mask", async () => {
    database().password = "\u200bs3cr3t";
    const job = { GITHUB_ACTIONS: "true" };
    const script = ["--", "sh", "-c", 'echo "started" >&2'];
    const { code, stdout, stderr } = await run([...withCredentials, ...script], job);
    assert.deepEqual([code, stdout], [0, ""]);
    assert.equal(
      stderr,
      `GitHub cannot mask PROJECT_DATABASE_PASSWORD, so the log shows it if it is printed.\n::add-mask::${database().username}\nstarted\n`,
    );
  });
});
