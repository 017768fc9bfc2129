import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs a tool in a folder. npx downloads it. */
export type NpxTool = (
  folder: string,
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
) => Promise<{ stdout: string; stderr: string }>;

/**
 * Returns a function that runs a tool. Throws if npx cannot run it.
 *
 * @param packages the packages to download, each with its version.
 * @param program the name of the program in one of the packages.
 */
export async function findNpxTool(packages: readonly string[], program: string): Promise<NpxTool> {
  const command = [
    ...["--yes", ...packages.flatMap((name) => ["-p", name])],
    // npx names its packages in this variable. npx in a job would look for these packages.
    ...["env", "-u", "npm_config_package"],
    program,
  ];
  const tool: NpxTool = (folder, args, environment = {}) =>
    run("npx", [...command, ...args], {
      cwd: folder,
      env: { ...process.env, ...environment },
      maxBuffer: 64 * 1024 * 1024,
    });
  try {
    await tool(".", ["--version"]);
  } catch (error) {
    throw new Error(`Running ${program} with npx failed. Check that npm can reach its registry.`, {
      cause: error,
    });
  }
  return tool;
}
