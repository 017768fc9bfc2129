/*
 * `npm run docs` runs it last: draws docs/images/audit.png, the HTML report on the sandbox's projects.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { startSandbox } from "../sandbox/index.js";
import { findChromium } from "./external/chromium.js";

const repository = join(__dirname, "../..");

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "audit-image-"));
  const sandbox = await startSandbox();
  const report = join(directory, "report.html");
  const audit = [join(repository, "dist/command/cli.js"), "audit", "--output", report];
  const env = { ...process.env, ...sandbox.envVars };
  // It ends with 1, because there are findings.
  await promisify(execFile)(process.execPath, audit, { env, cwd: directory }).catch(() => {});
  const executablePath = await findChromium(console.error);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1200, height: 1180 } });
  await page.goto(pathToFileURL(report).href);
  await page.screenshot({ path: join(repository, "docs/images/audit.png") });
  await browser.close();
  await sandbox.close();
  rmSync(directory, { recursive: true });
}

void main();
