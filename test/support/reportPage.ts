import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { htmlFormat } from "../../audit/report/html/htmlFormat.js";
import type { AuditReport } from "../../audit/report/report.js";
import { findChromium } from "../../tools/external/chromium.js";
import { toolOrSkip } from "./toolOrSkip.js";

/** Opens HTML reports in Chromium, for the tests of one `describe`. */
export interface ReportPages {
  /** Opens a report from a file. The page closes after the test. */
  open(report: AuditReport, options?: PageOptions): Promise<Page>;
  /** Requests other than the page itself, console messages, errors and dialogs of the open page. */
  readonly incidents: readonly string[];
}

export interface PageOptions extends BrowserContextOptions {
  /** Changes the file before the browser reads it. */
  readonly change?: (html: string) => string;
}

/** Starts Chromium before the tests of the `describe`, and ends it after them. Skips them without Chromium. */
export function useReportPages(): ReportPages {
  let browser: Browser | undefined;
  let directory: string | undefined;
  let page: Page | undefined;
  let incidents: string[] = [];

  before(async function () {
    this.timeout(10 * 60_000);
    const say = (step: string) => console.error(`    ${step}`);
    const executablePath = await toolOrSkip(this, () => findChromium(say));
    browser = await chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update"],
    });
    directory = await mkdtemp(join(tmpdir(), "audit-page-"));
  });
  afterEach(() => page?.close());
  after(async () => {
    await browser?.close();
    if (directory !== undefined) await rm(directory, { recursive: true });
  });

  async function open(
    report: AuditReport,
    { change = (html) => html, ...options }: PageOptions = {},
  ): Promise<Page> {
    if (browser === undefined || directory === undefined) throw new Error("There is no browser");
    const file = join(directory, "report.html");
    await writeFile(file, change(htmlFormat(report)));
    const url = pathToFileURL(file).href;
    incidents = [];
    page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
    page.on("request", (request) => {
      if (request.url().replace(/#.*/, "") !== url) incidents.push(`request ${request.url()}`);
    });
    page.on("console", (message) => incidents.push(`console ${message.text()}`));
    page.on("pageerror", (error) => incidents.push(`error ${error.message}`));
    page.on("dialog", (dialog) => incidents.push(`dialog ${dialog.message()}`));
    await page.goto(url);
    return page;
  }

  return {
    open,
    get incidents() {
      return incidents;
    },
  };
}
