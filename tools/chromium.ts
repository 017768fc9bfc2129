import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * Path of a Chromium or Chrome: the one on PATH, or else, in CI, the one of the Debian packages,
 * which root can install. On other machines nothing is installed unasked.
 *
 * @param report told what a long step does and how long it usually takes.
 * @throws Error that says why there is none.
 */
export async function findChromium(report: (step: string) => void): Promise<string> {
  const found = await onPath();
  if (found !== undefined) return found;
  await install(report);
  const installed = await onPath();
  if (installed !== undefined) return installed;
  throw new Error("The package chromium brought no program of that name");
}

async function onPath(): Promise<string | undefined> {
  for (const name of names) {
    try {
      return (await run("which", [name])).stdout.trim();
    } catch {
      // then the next name is tried
    }
  }
  return undefined;
}

async function install(report: (step: string) => void): Promise<void> {
  if (!process.env["CI"]) {
    throw new Error("There is no Chromium on PATH: install one (Debian: apt-get install chromium)");
  }
  if (process.getuid?.() !== 0) {
    throw new Error("There is no Chromium on PATH, and only root can install one");
  }
  report("Installing Chromium with apt-get (about 1 min)");
  const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  try {
    await run("apt-get", ["update", "-qq"], options);
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], options);
  } catch (error) {
    throw new Error(
      `There is no Chromium, and apt-get could not install one: ${lastLine((error as Error).message)}`,
    );
  }
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
