import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheDirectory } from "./cacheDirectory.js";

const run = promisify(execFile);

const version = "3.0.5";

/**
 * The Python in whose environment sarif-tools is installed: `python -m sarif` runs it.
 *
 * @param report told what a long step does and how long it usually takes.
 * @throws Error that says why there is none.
 */
export async function findSarifTools(report: (step: string) => void): Promise<string> {
  const environment = join(cacheDirectory, `sarif-tools-${version}`);
  const python = join(environment, "bin/python");
  if (existsSync(python)) return python;
  await checkPython();
  report(`Installing sarif-tools ${version} with pip, once (about 20 s)`);
  await mkdir(cacheDirectory, { recursive: true });
  const unfinished = await mkdtemp(join(cacheDirectory, "installing-"));
  try {
    await run("python3", ["-m", "venv", unfinished]);
    await run(join(unfinished, "bin/python"), [
      "-m",
      "pip",
      "install",
      "--quiet",
      "--disable-pip-version-check",
      `sarif-tools==${version}`,
    ]);
    if (!existsSync(environment)) await rename(unfinished, environment);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return python;
}

async function checkPython(): Promise<void> {
  try {
    await run("python3", ["-c", "import venv, ensurepip"]);
  } catch {
    throw new Error("sarif-tools needs Python 3 with venv, and there is none");
  }
}
