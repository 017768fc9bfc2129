import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs a tool in a folder. */
export type NpxTool = (
  folder: string,
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
) => Promise<{ stdout: string; stderr: string }>;

/**
 * Downloads a tool with npx and returns a function that runs it. Throws if npx cannot download it.
 *
 * @param packages the packages to download, each with its version.
 * @param program the name of the program in one of the packages.
 */
export async function findNpxTool(packages: readonly string[], program: string): Promise<NpxTool> {
  const directory = await downloadedPrograms(packages, program);
  return (folder, args, environment = {}) => {
    const env = { ...process.env, ...environment };
    // The packages may bring the Node that runs the program.
    env["PATH"] = `${directory}:${env["PATH"]}`;
    const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
    return run(join(directory, program), args, options);
  };
}

/** Returns the folder with the programs of the packages. npx itself would take 0.7 s for each call. */
async function downloadedPrograms(packages: readonly string[], program: string): Promise<string> {
  const names = packages.flatMap((name) => ["-p", name]);
  try {
    const { stdout } = await run("npx", ["--yes", ...names, "-c", `command -v ${program}`]);
    return dirname(stdout.trim());
  } catch (error) {
    throw new Error(
      `Downloading ${program} with npx failed. Check that npm can reach its registry.`,
      { cause: error },
    );
  }
}
