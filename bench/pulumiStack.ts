import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Sandbox } from "../sandbox/index.js";
import { findPulumi } from "../tools/pulumiCli.js";

const run = promisify(execFile);

/** In the repository, so that programs find the package by its name. */
const scratch = join(__dirname, "../../.bench");

/** A stack of a program, on a local backend of its own. */
export interface PulumiStack {
  /** Runs the CLI on it; gives stdout. */
  pulumi(...args: string[]): Promise<string>;
  /** How long `pulumi preview` takes, in ms. */
  timePreview(): Promise<number>;
}

/** Makes a stack whose program, plain JavaScript, reads the sandbox by environment variables. */
export async function makeStack(
  name: string,
  program: string,
  sandbox: Sandbox,
): Promise<PulumiStack> {
  const { command } = await findPulumi((step) => console.error(step));
  const directory = join(scratch, name);
  const state = join(directory, "state");
  await mkdir(state, { recursive: true });
  await writeFile(
    join(directory, "Pulumi.yaml"),
    `name: ${name}\nruntime: nodejs\nmain: index.js\n`,
  );
  await writeFile(join(directory, "index.js"), program);
  const env = {
    ...process.env,
    PATH: `${dirname(command)}:${process.env["PATH"]}`,
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_HOME: join(directory, "home"),
    PULUMI_CONFIG_PASSPHRASE: "bench",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    ...sandbox.environment,
  };

  async function pulumi(...args: string[]): Promise<string> {
    const options = { cwd: directory, env, maxBuffer: 64 * 1024 * 1024 };
    return (await run(command, [...args, "--non-interactive"], options)).stdout;
  }

  async function timePreview(): Promise<number> {
    const start = performance.now();
    await pulumi("preview", "--stack", "bench");
    return performance.now() - start;
  }

  await pulumi("stack", "init", "bench");
  return { pulumi, timePreview };
}

/** Removes all stacks that were made. */
export async function forgetStacks(): Promise<void> {
  await rm(scratch, { recursive: true, force: true });
}
