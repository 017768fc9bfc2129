import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Report } from "../cachedFolder.js";

const run = promisify(execFile);

/**
 * Returns the path of the Chromium or Chrome on PATH. In CI, root installs the Debian package `chromium` if
 * PATH has none. On other machines nothing is installed, because nobody asked for it.
 */
export async function findChromium(report: Report): Promise<string> {
  const found = await chromiumOnPath();
  if (found !== undefined) return found;
  if (!process.env["CI"] || process.getuid?.() !== 0) {
    throw new Error(
      "Chromium was not found on PATH. Install it (Debian: apt-get install chromium).",
    );
  }
  report("Installing Chromium with apt-get (about 1 min)");
  const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  await run("apt-get", ["update", "-qq"], options);
  await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], options);
  const installed = await chromiumOnPath();
  if (installed === undefined) throw new Error("apt-get has installed chromium, but not on PATH.");
  return installed;
}

async function chromiumOnPath(): Promise<string | undefined> {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  // `which` fails if one of the names is missing, and prints the others.
  const { stdout } = await run("which", names).catch((error: { stdout: string }) => error);
  return stdout.split("\n")[0] || undefined;
}
