import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheDirectory } from "./cacheDirectory.js";

const run = promisify(execFile);

const version = "1.7.12";

/**
 * The path of actionlint, which checks GitHub workflows; builds it with Go if it was not built before.
 *
 * @param report told what a long step does and how long it usually takes.
 */
export async function findActionlint(report: (step: string) => void): Promise<string> {
  const directory = join(cacheDirectory, `actionlint-${version}`);
  const program = join(directory, "actionlint");
  if (existsSync(program)) return program;
  report(`Building actionlint ${version} with Go, once (about 15 s)`);
  try {
    await run("go", ["install", `github.com/rhysd/actionlint/cmd/actionlint@v${version}`], {
      env: { ...process.env, GOBIN: directory },
    });
  } catch (error) {
    throw new Error("actionlint needs Go and the network to be built", { cause: error });
  }
  return program;
}
