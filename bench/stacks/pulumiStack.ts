import { execFile } from "node:child_process";
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Sandbox } from "../../sandbox/index.js";
import { findPulumi } from "../../tools/external/pulumiCli.js";
import { type ProcessName, type ProcessUse, watchProcesses } from "./watchProcesses.js";

const run = promisify(execFile);

/** Inside the repository, so that programs can import the package by its name. */
const stacksFolder = join(__dirname, "../../../.bench");

/** The command line `project-service`. */
const driftCommand = join(__dirname, "../../command/cli.js");

/** A stack with its own program and its own local backend. */
export interface PulumiStack {
  /** Runs a command of the Pulumi CLI on the stack. Returns its stdout. */
  pulumi(...args: string[]): Promise<string>;
  /** Runs `pulumi preview`. Returns its duration in ms. */
  timePreview(): Promise<number>;
  /** Runs a command of the Pulumi CLI, or `project-service drift`. Returns what its processes used. */
  measure(...args: string[]): Promise<CommandRun>;
  /** Returns the size of the file with the state. */
  stateBytes(): Promise<number>;
}

/** The measurements of one command. */
export interface CommandRun {
  readonly seconds: number;
  readonly processes: Record<ProcessName, ProcessUse>;
}

/**
 * Creates a stack. Its program reads the sandbox with the settings of environment variables.
 *
 * @param program in JavaScript.
 */
export async function createStack(
  name: string,
  program: string,
  sandbox: Sandbox,
): Promise<PulumiStack> {
  const { command } = await findPulumi((step) => console.error(step));
  const folder = join(stacksFolder, name);
  const state = join(folder, "state");
  await mkdir(state, { recursive: true });
  await writeFile(join(folder, "Pulumi.yaml"), `name: ${name}\nruntime: nodejs\nmain: index.js\n`);
  await writeFile(join(folder, "index.js"), program);
  const env = {
    ...process.env,
    PATH: `${dirname(command)}:${process.env["PATH"]}`,
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_CONFIG_PASSPHRASE: "bench",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    ...sandbox.environment,
  };

  function start(args: readonly string[]) {
    const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
    if (args[0] === "drift") {
      return run(process.execPath, [driftCommand, ...args, "--stack", "bench"], options);
    }
    return run(command, [...args, "--non-interactive"], options);
  }

  async function pulumi(...args: string[]): Promise<string> {
    return (await start(args)).stdout;
  }

  async function timePreview(): Promise<number> {
    const startMs = performance.now();
    await pulumi("preview", "--stack", "bench");
    return performance.now() - startMs;
  }

  async function measure(...args: string[]): Promise<CommandRun> {
    const startMs = performance.now();
    const running = start(args);
    const stopWatch = watchProcesses(running.child.pid as number);
    try {
      await running;
      return { seconds: (performance.now() - startMs) / 1_000, processes: stopWatch() };
    } finally {
      stopWatch();
    }
  }

  const stateFile = join(state, ".pulumi/stacks", name, "bench.json");
  const stateBytes = async () => (await stat(stateFile)).size;

  await pulumi("stack", "init", "bench");
  return { pulumi, timePreview, measure, stateBytes };
}

/** Deletes all stacks, also those of an interrupted run. */
export async function deleteStacks(): Promise<void> {
  await rm(stacksFolder, { recursive: true, force: true });
}
