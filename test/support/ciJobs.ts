/* What the jobs of the examples need, when the tests run them on this machine. */
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { run } from "./workbench.js";

/**
 * Returns a PATH for the jobs of an example. With its tools `npm ci` does nothing if the folder has
 * packages.
 */
export async function pathOfJobs(directory: string): Promise<string> {
  const tools = join(directory, ".bin");
  await mkdir(tools);
  const npm = (await run("which", ["npm"])).stdout.trim();
  const script = `#!/bin/sh\n[ "$1" = ci ] && [ -e node_modules ] && exit\nexec "${npm}" "$@"\n`;
  await writeFile(join(tools, "npm"), script, { mode: 0o755 });
  return [tools, process.env["PATH"]].join(delimiter);
}
