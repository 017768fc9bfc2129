import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../support/testSandbox.js";
import { compiled } from "../support/paths.js";

/** The compiled command line. */
export const cli = compiled("command/cli.ts");

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Runs the command line against a sandbox, which is new for each test, in a folder of its own. */
export class CommandProcess {
  sandbox!: Sandbox;
  directory!: string;

  /** Runs the command line with the settings of the sandbox and changes to them. */
  run(args: readonly string[], changes: Variables = {}): Promise<Result> {
    return this.execute(process.execPath, [cli, ...args], changes);
  }

  /** Runs the command line in a shell, for redirections and pipes. */
  runInShell(command: string, before = ""): Promise<Result> {
    return this.execute("sh", ["-c", `${before}"${process.execPath}" "${cli}" ${command}`]);
  }

  /**
   * Runs a shell script that may mount file systems and run the command as `cli`. Where nobody but root
   * may mount, the test is skipped.
   */
  async runWithMounts(context: Mocha.Context, script: string): Promise<Result> {
    const { code, stderr } = await this.execute("unshare", ["-mr", "mount", "--help"]);
    if (code !== 0) {
      console.error(`    skipped: unshare allows no mounts here: ${stderr.trim()}`);
      return context.skip();
    }
    const start = `cli() { "${process.execPath}" "${cli}" "$@"; }; set -e; ${script}`;
    return this.execute("unshare", ["-mr", "sh", "-c", start]);
  }

  /** Runs a program with the settings of the sandbox and changes to them. */
  execute(program: string, args: readonly string[], changes: Variables = {}): Promise<Result> {
    const env = { PATH: process.env["PATH"], ...this.sandbox.environment, ...changes };
    return new Promise((resolve) => {
      execFile(program, args, { cwd: this.directory, env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  }
}

/** Prepares the command line for the tests of a suite. */
export function useCommandProcess(): CommandProcess {
  const command = new CommandProcess();
  before(async () => {
    command.directory = await mkdtemp(join(tmpdir(), "command-"));
  });
  after(() => rm(command.directory, { recursive: true }));
  beforeEach(async () => {
    command.sandbox = await startSandbox();
  });
  afterEach(() => command.sandbox.close());
  return command;
}
