import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../support/paths.js";
import { stackOutputsOf } from "../support/stackOutputs.js";
import { useCommandProcess } from "./commandProcess.js";
import { previewJson } from "./drift/previewJson.js";

interface Manifest {
  version: string;
  bin: Record<string, string>;
}

const { version, bin } = JSON.parse(
  readFileSync(join(repository, "package.json"), "utf8"),
) as Manifest;

/**
 * Every command, each with the arguments and the exit code of an ordinary run that prints something, and
 * its exit codes other than 0.
 */
const commands: readonly (readonly [string, readonly string[], number, readonly string[]])[] = [
  ["pulumi-project-service", ["--version"], 0, ["2"]],
  ["pulumi-project-service audit", [], 1, ["1", "2"]],
  ["pulumi-project-service check", [], 0, ["1", "2"]],
  ["pulumi-project-service drift", [], 0, ["2", "7"]],
  ["pulumi-project-service env", ["live", "--format", "shell"], 0, ["2"]],
  ["pulumi-project-service sandbox", ["--help"], 0, ["2"]],
];

/** Calls a shell command when the other end of its standard output is closed. Prints the exit code. */
const intoClosedPipe = `mkfifo pipe
{
  { read _ < pipe; "$@"; echo $? >&3; } | { exec <&-; echo > pipe; }
} 3>&1
rm pipe`;

describe("the conventions of every command", () => {
  const command = useCommandProcess();
  /** Before the command runs. */
  let connections = 0;
  beforeEach(async () => {
    const outputs = await stackOutputsOf(command.sandbox, "shop");
    await writeFile(join(command.directory, "outputs.json"), outputs);
    const inputs = { service: "", projects: { "p-1": { name: "shop" } } };
    const preview = previewJson([{ op: "same", before: inputs, after: inputs }]);
    await writeFile(join(command.directory, "preview.json"), preview);
    const folder = join(command.directory, "bin");
    await mkdir(folder, { recursive: true });
    const pulumi = `#!/bin/sh\ncat "${command.directory}/preview.json"\n`;
    await writeFile(join(folder, "pulumi"), pulumi, { mode: 0o755 });
    ({ connections } = command.sandbox.counters);
  });

  function programOf(name: string): string[] {
    const [program = "", ...words] = name.split(" ");
    const line = [process.execPath, join(repository, bin[program] as string), ...words];
    if (words[0] === "drift") {
      return ["env", `PATH=${command.directory}/bin:${process.env["PATH"]}`, ...line];
    }
    // Its input comes from a file, so that it does not wait for the test's.
    return words[0] === "env" ? ["sh", "-c", 'exec "$@" <outputs.json', "sh", ...line] : line;
  }

  type Variables = Readonly<Record<string, string>>;

  /** Runs a command. */
  const run = (name: string, args: readonly string[], variables: Variables = {}) => {
    const [program = "", ...words] = programOf(name);
    return command.execute(program, [...words, ...args], variables);
  };

  /** Runs a shell script in which `"$@"` is a command. */
  const runInShell = (script: string, name: string, args: readonly string[]) =>
    command.execute("sh", ["-c", script, "sh", ...programOf(name), ...args]);

  it("are tested for all commands", async () => {
    assert.deepEqual(Object.keys(bin), ["pulumi-project-service"]);
    const { stdout } = await run("pulumi-project-service", ["--help"]);
    const subcommands = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, word]) => word);
    const tested = commands.flatMap(([name]) => name.split(" ").slice(1));
    assert.deepEqual(tested, subcommands);
  });

  for (const [name, args, code, failures] of commands) {
    describe(name, () => {
      it("prints its help in 80 columns, with its exit codes", async () => {
        const [help, short] = await Promise.all([run(name, ["--help"]), run(name, ["-h"])]);
        assert.deepEqual([help.code, help.stderr], [0, ""]);
        assert.deepEqual(short, help);
        assert.ok(help.stdout.startsWith(`Usage: ${name} `), help.stdout);
        assert.deepEqual(
          help.stdout.split("\n").filter(({ length }) => length > 80),
          [],
        );
        const [, exitCodes = ""] = /^Exit code: ([^]*)/m.exec(help.stdout) ?? [];
        assert.deepEqual(exitCodes.match(/\b[127]\b/g)?.sort(), failures, help.stdout);
        assert.equal(command.sandbox.counters.connections, connections);
      });

      for (const wrong of ["--colour", "frobnicate"]) {
        it(`rejects ${wrong} on standard error with exit code 2, and mentions --help`, async () => {
          const before = args[0] === "--version" ? [] : args;
          const { code, stdout, stderr } = await run(name, [...before, wrong]);
          assert.deepEqual([code, stdout], [2, ""]);
          assert.match(stderr.split("\n")[0] as string, new RegExp(wrong));
          assert.match(stderr, /--help/);
          assert.doesNotMatch(stderr, /\n {4}at |node:|\.\./);
          assert.equal(command.sandbox.counters.connections, connections);
        });
      }

      it("ends quietly and with its exit code if nobody reads its output", async () => {
        const closed = await runInShell(intoClosedPipe, name, args);
        assert.deepEqual([closed.stdout, withoutProgress(closed.stderr)], [`${code}\n`, ""]);
        const silent = await runInShell('"$@" >&- 2>&-', name, args);
        assert.deepEqual(silent, { code, stdout: "", stderr: "" });
      });

      it("says in one line that its output cannot be written, with exit code 2", async () => {
        const { code, stderr } = await runInShell('"$@" > /dev/full', name, args);
        assert.equal(code, 2);
        assert.match(
          withoutProgress(stderr),
          /^Writing to standard output failed: ENOSPC\. [^\n]*\n$/,
        );
      });
    });
  }

  for (const program of Object.keys(bin)) {
    it(`${program} prints the version of the package`, async () => {
      const { code, stdout, stderr } = await run(program, ["--version"]);
      assert.deepEqual([code, stdout, stderr], [0, `${version}\n`, ""]);
    });
  }

  for (const [what, broken] of [
    ["a text without quotes", "c4nary-s3cret"],
    ["a value without quotes", '{"password": c4nary-s3cret}'],
    ["an open text", '[{"password": "c4nary-s3cret'],
    ["a control character in a text", '{"password": "c4nary-s3cret\u0001"}'],
    ["a comma at the end", '{"c4nary-s3cret": "c4nary-s3cret",}'],
    ["a text after the end", '{} "c4nary-s3cret"'],
  ] as const) {
    it(`no command quotes JSON with ${what}`, async () => {
      for (const name of ["outputs.json", "preview.json", "broken.json"]) {
        await writeFile(join(command.directory, name), broken);
      }
      for (const [name, args, variables] of [
        ["audit", ["--rules", "broken.json"], {}],
        ["audit", ["--accepted", "broken.json"], {}],
        ["check", [], { PROJECT_SERVICE_HEADERS: broken }],
        ["drift", [], {}],
        ["env", ["live", "--format", "shell"], {}],
        ["sandbox", ["--projects", "broken.json"], {}],
      ] as const) {
        const { code, stdout, stderr } = await run(
          `pulumi-project-service ${name}`,
          args,
          variables,
        );
        assert.notEqual(code, 0);
        assert.doesNotMatch(stdout + stderr, /c4nary|s3cret|Unexpected|position/, name);
        if (["audit", "env", "sandbox"].includes(name)) assert.match(stderr, / at line 1\./);
      }
    });
  }

  it("the table of an audit has colors if FORCE_COLOR is set, and none in a pipe", async () => {
    const color = /\u001b\[[\d;]*m/;
    const audit = (variables: Variables) => run("pulumi-project-service audit", [], variables);
    assert.match((await audit({ FORCE_COLOR: "1" })).stdout, color);
    assert.doesNotMatch((await audit({ TERM: "xterm-256color" })).stdout, color);
  });
});

function withoutProgress(stderr: string): string {
  return stderr.replace("Running pulumi preview…\n", "");
}
