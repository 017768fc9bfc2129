import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { assertFailed, cli, useCommandProcess } from "../commandProcess.js";

describe("the exit code of pulumi-project-service run", () => {
  const command = useCommandProcess();
  const database = () =>
    command.sandbox.projects[0]!.projectEnvironments[0]!.projectEnvironmentDatabases.databases[0]!;
  const ofShop = ["live", "--project", "shop"];
  const withCredentials = [...ofShop, "--credentials", "--database", "shop_live"];

  function run(args: readonly string[], changes = {}) {
    return command.execute(process.execPath, [cli, "run", ...args], changes);
  }

  for (const [line, code, message = /^$/] of [
    ["true", 0],
    ["sh -c 'exit 7'", 7],
    ["sh -c 'exit 125'", 125],
    ["sh -c 'kill -9 $$'", 137],
    // A shell can print which signal ended its command.
    ["sh -c 'kill -TERM $$'", 143, /^$|Terminated/],
    ["./plain", 126, /^\.\/plain did not start: EACCES\.$/m],
    [".", 127, /^There is no program \. on PATH\./],
    ["./folder", 126, /EACCES/],
    ["./plain/below", 126, /ENOTDIR/],
    ["./none", 127, /^\.\/none does not exist\.$/m],
    ["no-such-program", 127, /^There is no program no-such-program on PATH\./],
    ["'ls -la'", 127, /^There is no program ls … on PATH\. .* as separate words, or start a shell/],
    ["plain", 126, /plain did not start: EACCES/],
    ["./broken", 127, /^The interpreter in the first line of \.\/broken does not exist\.$/m],
  ] as const) {
    it(`is ${code} like env(1) for ${line}`, async () => {
      await writeFile(command.pathOf("plain"), "#!/bin/sh\n", { mode: 0o644 });
      await writeFile(command.pathOf("broken"), "#!/no/interpreter\n", { mode: 0o755 });
      await mkdir(command.pathOf("folder"));
      const path = 'PATH="$PATH:$PWD"; export PATH; ';
      const byEnv = await command.execute("sh", ["-c", `${path}env ${line}; exit $?`]);
      const result = await command.runInShell(`run ${ofShop.join(" ")} -- ${line}; exit $?`, path);
      const shown = line === "." ? 126 : code;
      assert.deepEqual([result.code, byEnv.code], [code, shown], result.stderr);
      assert.equal(result.stdout, "");
      assert.match(result.stderr, message);
    });
  }

  const place = / The command stands after --: pulumi-project-service run <environmentId> -- <comm/;
  for (const [args, message] of [
    [["--colour", "live", "--", "true"], /^Unknown option --colour\.[^]*--help\.\n$/],
    [["live", "./deploy.sh"], place],
    [["live", "ls", "-la"], place],
    [["live", "--"], place],
    [
      ["liv", "--project", "shop", "--", "true"],
      /no environment "liv"\. Did you mean live\? Known env/,
    ],
    [["live", "--", "true"], / or pass --project\.$/m],
  ] as const) {
    it(`is 125, and nothing is started, for ${args.join(" ")}`, async () => {
      const { code, stdout, stderr } = await run(args);
      assert.deepEqual([code, stdout], [125, ""], stderr);
      assert.match(stderr, message);
    });
  }

  for (const [what, value, message] of [
    ["NUL", "s3cr3t\0", /^The command cannot get PROJECT_DATABASE_PASSWORD: [^\n]*NUL/],
    [
      "more than the system allows",
      "s3cr3t".repeat(100_000),
      / did not start: E2BIG\. Its arguments and/,
    ],
  ] as const) {
    it(`is 125, and nothing is started, for a value with ${what}`, async () => {
      database().password = value;
      const { code, stdout, stderr } = await run([...withCredentials, "--", "echo", "started"]);
      assert.deepEqual([code, stdout], [125, ""], stderr);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /s3cr3t/);
    });
  }

  it("is 126 for a batch file on Windows, with the words cmd /c", async () => {
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
