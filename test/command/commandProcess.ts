import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { mock } from "node:test";
import { runCommandLine } from "../../command/commands.js";
import { type Sandbox, startSandbox } from "../support/testSandbox.js";
import { compiled } from "../support/paths.js";

/** The compiled command line. */
export const cli = compiled("command/cli.ts");

export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Checks that a command ended with a code of ours and its reason, and printed nothing else. */
export function assertFailed({ code, stdout, stderr }: Result, message: RegExp, own = 2): void {
  assert.deepEqual([code, stdout], [own, ""], stderr);
  assert.match(stderr, message);
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Runs the command line against a sandbox, which is new for each test, in a folder of its own. */
export class CommandProcess {
  sandbox!: Sandbox;
  directory!: string;

  readonly pathOf = (name: string) => join(this.directory, name);

  /** Runs the command line in this process, with the settings of the sandbox and changes to them. */
  async run(
    args: readonly string[],
    changes: Variables = {},
    input: string | Buffer = "",
  ): Promise<Result> {
    const { env } = process;
    const folder = process.cwd();
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const fstatSync = fs.fstatSync.bind(fs);
    const mocks = [
      mock.getter(process, "stdin", () => Readable.from([Buffer.from(input)]) as never),
      mock.getter(process, "stdout", () => stdout as never),
      mock.getter(process, "stderr", () => stderr as never),
      // The output of the tests may be a file.
      mock.method(fs, "fstatSync", (fd: number) =>
        fd === 1 || fd === 2 ? { isFile: (): boolean => false } : fstatSync(fd),
      ),
    ];
    process.env = this.environment(changes);
    process.chdir(this.directory);
    try {
      const code = await runCommandLine(args);
      return { code, stdout: await text(stdout.end()), stderr: await text(stderr.end()) };
    } finally {
      process.env = env;
      process.chdir(folder);
      mocks.forEach(({ mock }) => mock.restore());
    }
  }

  /** Runs the command line in a shell, for redirections, pipes and what ends a process. */
  runInShell(command: string, before = ""): Promise<Result> {
    return this.execute("sh", ["-c", `${before}"${process.execPath}" "${cli}" ${command}`]);
  }

  /** Runs a program with the settings of the sandbox and changes to them. */
  execute(program: string, args: readonly string[], changes: Variables = {}): Promise<Result> {
    const options = { cwd: this.directory, env: this.environment(changes) };
    return new Promise((resolve) => {
      execFile(program, args, options, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  }

  /**
   * Makes a false Pulumi CLI, which prints outputs of a stack, and adds its words to the file `bin/calls`.
   *
   * @returns the variable with which a command finds it.
   */
  async withOutputs(outputs: string): Promise<{ PATH: string }> {
    const bin = this.pathOf("bin");
    await mkdir(bin);
    await writeFile(join(bin, "outputs"), outputs, { mode: 0o600 });
    const script = `#!/bin/sh\ncd "${bin}" && echo "$*" >>calls && cat outputs\n`;
    await writeFile(join(bin, "pulumi"), script, { mode: 0o755 });
    return { PATH: bin + delimiter + process.env["PATH"] };
  }

  private environment(changes: Variables): NodeJS.ProcessEnv {
    const all = { PATH: process.env["PATH"], ...this.sandbox.envVars, ...changes };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  }
}

/** Prepares the command line for the tests of a suite. */
export function useCommandProcess(): CommandProcess {
  const command = new CommandProcess();
  beforeEach(async () => {
    command.directory = await mkdtemp(join(tmpdir(), "command-"));
    command.sandbox = await startSandbox();
  });
  afterEach(async () => {
    await command.sandbox.close();
    await rm(command.directory, { recursive: true });
  });
  return command;
}
