import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Sandbox } from "../../sandbox/index.js";
import { findPulumi } from "../../tools/external/pulumiCli.js";

const run = promisify(execFile);

/** Inside the repository, so that programs can import the package by its name. */
const stacksFolder = join(__dirname, "../../../.bench");

/** A stack with its own program and its own local backend. */
export interface PulumiStack {
  /** Runs a command of the Pulumi CLI on the stack. Returns its stdout. */
  pulumi(...args: string[]): Promise<string>;
  /** Runs `pulumi preview`. Returns its duration in ms. */
  timePreview(): Promise<number>;
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

  async function pulumi(...args: string[]): Promise<string> {
    const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
    return (await run(command, [...args, "--non-interactive"], options)).stdout;
  }

  async function timePreview(): Promise<number> {
    const startMs = performance.now();
    await pulumi("preview", "--stack", "bench");
    return performance.now() - startMs;
  }

  await pulumi("stack", "init", "bench");
  return { pulumi, timePreview };
}

/** Deletes all stacks, also those of an interrupted run. */
export async function deleteStacks(): Promise<void> {
  await rm(stacksFolder, { recursive: true, force: true });
}
