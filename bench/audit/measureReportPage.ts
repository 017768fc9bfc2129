import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Page } from "playwright-core";
import { htmlFormat } from "../../audit/report/html/htmlFormat.js";
import { findChromium } from "../../tools/external/chromium.js";
import { type Sample, sampleOf } from "../sample.js";
import { fleetReport } from "./fleetReport.js";

export interface ReportPageResult {
  readonly projects: number;
  readonly findings: number;
  readonly megabytes: number;
  /** Elements of the page after it was opened. */
  readonly elements: number;
  /** From the start of the navigation to the frame with the working search. */
  readonly readyMs: Sample;
  /** From a key press in the search field to the end of the next frame. */
  readonly keyPressMs: Sample;
}

/** Opens the HTML report on a large fleet in Chromium, and types into its search field. */
export async function measureReportPage(
  projectCount: number,
  runs: number,
): Promise<ReportPageResult> {
  const executablePath = await findChromium((step) => console.error(step));
  const report = fleetReport(projectCount);
  const html = htmlFormat(report);
  const directory = await mkdtemp(join(tmpdir(), "report-page-"));
  try {
    const file = join(directory, "report.html");
    await writeFile(file, html);
    const pages: PageRun[] = [];
    for (let run = 0; run < runs; run++) pages.push(await measurePage(executablePath, file));
    return {
      projects: projectCount,
      findings: report.findings.length,
      megabytes: Buffer.byteLength(html) / 1e6,
      elements: pages[0]?.elements ?? 0,
      readyMs: sampleOf(pages.map(({ readyMs }) => readyMs)),
      keyPressMs: sampleOf(pages.flatMap(({ keyPressMs }) => keyPressMs)),
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}

interface PageRun {
  readonly readyMs: number;
  readonly keyPressMs: number[];
  readonly elements: number;
}

/** Measures in a new browser, so that nothing is in a cache. */
async function measurePage(executablePath: string, file: string): Promise<PageRun> {
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-background-networking"],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.addInitScript(timeOfSearch);
    await page.goto(pathToFileURL(file).href);
    await page.waitForFunction("globalThis.readyMs !== undefined");
    const readyMs = await page.evaluate<number>("readyMs");
    const elements = await page.locator("*").count();
    return { readyMs, elements, keyPressMs: await timesOfKeys(page) };
  } finally {
    await browser.close();
  }
}

async function timesOfKeys(page: Page): Promise<number[]> {
  await page.getByRole("searchbox").focus();
  await page.evaluate(timesOfKeyPresses);
  const keys = ["s", "h", "o", "p", ...Array<string>(4).fill("Backspace")];
  for (const [index, key] of keys.entries()) {
    await page.keyboard.press(key);
    await page.waitForFunction(`keyPressMs.length > ${index}`);
  }
  return page.evaluate<number[]>("keyPressMs");
}

/** Script that stores when the page showed its filters. */
const timeOfSearch = `(function check() {
  const form = document.querySelector("form");
  if (form === null || form.hidden) return requestAnimationFrame(check);
  requestAnimationFrame(() => setTimeout(() => { globalThis.readyMs = performance.now(); }));
})()`;

/** Script that stores how long each key press takes, until its frame is drawn. */
const timesOfKeyPresses = `globalThis.keyPressMs = [];
addEventListener("keydown", () => {
  const startMs = performance.now();
  requestAnimationFrame(() => setTimeout(() => keyPressMs.push(performance.now() - startMs)));
}, true);`;
