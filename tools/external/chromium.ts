import { execFile } from "node:child_process";
import { promisify } from "node:util";

import type { Report } from "../cachedFolder.js";

const run = promisify(execFile);

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * Returns the path of the Chromium or Chrome on PATH. In CI, root can install the Debian package
 * `chromium`, so there this function installs it if PATH has none. On other machines it installs
 * nothing, because nobody asked for it.
 */
export async function findChromium(report: Report): Promise<string> {
  const found = await chromiumOnPath();
  if (found !== undefined) return found;
  await install(report);
  const installed = await chromiumOnPath();
  if (installed !== undefined) return installed;
  throw new Error(`apt-get installed chromium, but PATH has none of ${names.join(", ")}.`);
}

async function chromiumOnPath(): Promise<string | undefined> {
  for (const name of names) {
    try {
      return (await run("which", [name])).stdout.trim();
    } catch {
      continue; // not installed under this name
    }
  }
  return undefined;
}

async function install(report: Report): Promise<void> {
  if (!process.env["CI"]) {
    throw new Error(
      "Chromium was not found on PATH. Install it (Debian: apt-get install chromium).",
    );
  }
  if (process.getuid?.() !== 0) {
    throw new Error("Chromium was not found on PATH, and only root can install it.");
  }
  report("Installing Chromium with apt-get (about 1 min)");
  const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  try {
    await run("apt-get", ["update", "-qq"], options);
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], options);
  } catch (error) {
    throw new Error(
      `Installing Chromium with apt-get failed: ${lastLine((error as Error).message)}`,
      { cause: error },
    );
  }
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
