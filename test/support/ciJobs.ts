/* What the jobs of the examples need, when the tests run them on this machine. */
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Sandbox } from "./testSandbox.js";
import { type CommandResult, type Project, resultOf, run } from "./workbench.js";

/** An example as a Pulumi project of its own, with a sandbox that it reads. */
export class CiExample {
  /** Environment variables of a CI job. */
  readonly environment: Record<string, string>;

  constructor(
    readonly project: Project,
    readonly sandbox: Sandbox,
  ) {
    this.environment = { ...project.environment, ...sandbox.environment };
  }

  /** Runs a command as a CI job does. Resolves for every exit code. */
  job(program: string, ...args: string[]): Promise<CommandResult> {
    const env = { ...process.env, ...this.environment };
    return resultOf(run(program, args, { cwd: this.project.directory, env }));
  }
}

/**
 * Returns a PATH for the jobs of an example. With its tools `npm ci` does nothing if the folder has
 * packages.
 *
 * @param path the PATH with the other programs.
 */
export async function pathOfJobs(directory: string, path = process.env["PATH"]): Promise<string> {
  const tools = join(directory, ".bin");
  await mkdir(tools);
  const npm = (await run("which", ["npm"])).stdout.trim();
  const script = `#!/bin/sh\n[ "$1" = ci ] && [ -e node_modules ] && exit\nexec "${npm}" "$@"\n`;
  await writeFile(join(tools, "npm"), script, { mode: 0o755 });
  return [tools, path].join(delimiter);
}
