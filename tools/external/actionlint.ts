import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { cachedFolder, type Report } from "./cachedFolder.js";

const run = promisify(execFile);

const version = "1.7.12";

/** Returns the path of actionlint, which checks GitHub workflows. Builds it with Go the first time. */
export async function findActionlint(report: Report): Promise<string> {
  const folder = await cachedFolder(`actionlint-${version}`, async (temporary) => {
    report(`Building actionlint ${version} with Go, once (about 15 s)`);
    await build(temporary);
    return temporary;
  });
  return join(folder, "actionlint");
}

async function build(folder: string): Promise<void> {
  try {
    await run("go", ["install", `github.com/rhysd/actionlint/cmd/actionlint@v${version}`], {
      env: { ...process.env, GOBIN: folder },
    });
  } catch (error) {
    throw new Error(
      "Building actionlint failed. Install Go (https://go.dev/dl) and check that Go can download modules.",
      { cause: error },
    );
  }
}
