import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { cachedFolder, type Report } from "../cachedFolder.js";

const run = promisify(execFile);

const version = "3.0.5";

/**
 * Returns the path of a Python that has sarif-tools installed. Run it as `python -m sarif`. Installs
 * sarif-tools with pip the first time.
 */
export async function findSarifTools(report: Report): Promise<string> {
  const environment = await cachedFolder(`sarif-tools-${version}`, async (temporary) => {
    await checkPython();
    report(`Installing sarif-tools ${version} with pip, once (about 20 s)`);
    await run("python3", ["-m", "venv", temporary]);
    await run(join(temporary, "bin/python"), [
      "-m",
      "pip",
      "install",
      "--quiet",
      "--disable-pip-version-check",
      `sarif-tools==${version}`,
    ]);
    return temporary;
  });
  return join(environment, "bin/python");
}

async function checkPython(): Promise<void> {
  try {
    await run("python3", ["-c", "import venv, ensurepip"]);
  } catch {
    throw new Error(
      "sarif-tools needs Python 3 with its venv module, which was not found. Install it (Debian: apt-get install python3-venv).",
    );
  }
}
