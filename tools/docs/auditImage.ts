import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { htmlFormat } from "../../audit/report/html/htmlFormat.js";
import type { AuditReport } from "../../audit/report/report.js";

/**
 * Returns a picture of the HTML report, as PNG: the summary, the rules and the start of the projects.
 *
 * @param executablePath a Chromium or Chrome.
 */
export async function auditImage(report: AuditReport, executablePath: string): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), "audit-image-"));
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const file = join(directory, "report.html");
    await writeFile(file, htmlFormat(report));
    const page = await browser.newPage({ viewport: { width: 1200, height: 760 } });
    await page.goto(pathToFileURL(file).href);
    return await page.screenshot();
  } finally {
    await browser.close();
    await rm(directory, { recursive: true, force: true });
  }
}
