import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { htmlFormat } from "../../audit/report/html/htmlFormat.js";
import type { AuditReport } from "../../audit/report/report.js";
import { displayText } from "../../provider/errors/displayText.js";
import { findChromium } from "../../tools/external/chromium.js";
import { hostileProjects, hostileTexts, reportOn } from "../support/auditReport.js";
import { toolOrSkip } from "../support/toolOrSkip.js";

describe("the HTML report in a real browser", () => {
  const report = reportOn(hostileProjects());
  let browser: Browser;
  let directory: string;
  let page: Page;
  /** Requests other than the page itself, console messages, errors and dialogs. */
  let incidents: string[];

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
  after(async () => {
    await browser?.close();
    if (directory !== undefined) await rm(directory, { recursive: true });
  });

  async function open(
    reportToOpen: AuditReport,
    options: BrowserContextOptions = {},
  ): Promise<Page> {
    const file = join(directory, "report.html");
    await writeFile(file, htmlFormat(reportToOpen));
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
  afterEach(() => page?.close());

  /** Returns the names of the projects that the table shows. */
  const visibleNames = () => page.locator("tbody tr:visible th > bdi").allTextContents();
  const visibleFindings = () => page.locator("li:visible").count();

  it("shows all findings of the report, and no others", async () => {
    await open(report);
    const itemsOnPage = await page.evaluate(`[...document.querySelectorAll("li")].map((item) => [
      item.closest("section").querySelector(".id").textContent,
      item.dataset.rule,
      item.dataset.environment,
    ])`);
    assert.deepEqual(
      itemsOnPage,
      report.findings.map(({ projectId, rule, environmentId = "" }) => [
        projectId,
        rule,
        displayText(environmentId),
      ]),
    );
    assert.equal(await visibleFindings(), report.findings.length);
    assert.deepEqual(
      await visibleNames(),
      report.projects.map(({ name }) => displayText(name)),
    );
  });

  it("sends no request, and runs no code in texts of the service", async () => {
    await open(report);
    for (const element of await page.locator("tbody tr, li").all()) await element.hover();
    await page.getByLabel("Search").fill(hostileTexts[0]);
    assert.equal(await page.evaluate(isHacked), false);
    assert.equal(
      await page.locator("main script, main style, main img, [onmouseover], [onerror]").count(),
      0,
    );
    assert.deepEqual(incidents, []);
    assert.deepEqual(await visibleNames(), [hostileTexts[0]]);
  });

  it("blocks requests and code by its content security policy, even in unescaped text", async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests++;
      response.end();
    }).unref();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await open(report);
    const over = page.waitForEvent("requestfailed", { timeout: 5_000 });
    await page.evaluate(`document.body.insertAdjacentHTML("beforeend",
      '<img src="http://127.0.0.1:${port}/x.png" onerror="window.hacked=1">')`);
    assert.equal((await over).failure()?.errorText, "csp");
    assert.ok(incidents.some((incident) => /script-src-attr|inline event handler/.test(incident)));
    assert.equal(await page.evaluate(isHacked), false);
    assert.equal(requests, 0);
  });

  it("filters by the text of project, id, environment or finding", async () => {
    await open(report);
    const search = page.getByLabel("Search");
    await search.fill("  PARTNER ");
    assert.deepEqual(await visibleNames(), ["partner-portal"]);
    assert.equal(await visibleFindings(), 2);
    await search.fill("p-10");
    assert.deepEqual(await visibleNames(), ["status-page"]);
    await search.fill("typo3_dev");
    assert.deepEqual(await visibleNames(), ["intranet"]);
    assert.equal(await visibleFindings(), 1);
    await search.fill("nothing has this");
    assert.deepEqual(await visibleNames(), []);
    assert.ok(await page.getByText("No project matches").isVisible());
    assert.equal(
      await page.locator("output").textContent(),
      `0 of ${report.projects.length} projects`,
    );
  });

  it("filters by rule and state together, and resets the filters", async () => {
    await open(report);
    await page.locator("select[name=rule]").selectOption("initialized-environments");
    assert.deepEqual(await visibleNames(), ["relaunch"]);
    assert.equal(await visibleFindings(), 2);
    await page.locator("select[name=state]").selectOption("unknown");
    assert.deepEqual(await visibleNames(), []);
    await page.locator("select[name=rule]").selectOption("");
    assert.deepEqual(await visibleNames(), ["shop"]);
    assert.equal(await visibleFindings(), 2);
    await page.locator("select[name=state]").selectOption("ok");
    assert.deepEqual(await visibleNames(), ["docs", "status-page"]);
    assert.equal(await visibleFindings(), 0);
    await page.getByRole("button", { name: "Show all" }).click();
    await page.locator("tbody tr[hidden]").first().waitFor({ state: "detached" });
    assert.equal(await visibleFindings(), report.findings.length);
  });

  it("names each state in words, and links the table to the findings for the keyboard", async () => {
    await open(report);
    const cell = page.getByRole("row", { name: /^blog/ }).getByRole("cell").nth(1);
    assert.match((await cell.textContent()) ?? "", /✗ 1 violated/);
    await page.getByLabel("Search").focus();
    for (const key of ["b", "l", "o", "g", ...Array<string>(4).fill("Tab")])
      await page.keyboard.press(key);
    while ((await page.evaluate("document.activeElement.textContent")) !== "✗ 1 violated") {
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("li:target").getAttribute("data-environment"), "stage");
    assert.ok(await page.locator("li:target").isVisible());
  });

  for (const colorScheme of ["light", "dark"] as const) {
    it(`has readable contrast in the ${colorScheme} color scheme`, async () => {
      await open(report, { colorScheme });
      const ratios = await page.evaluate<number[]>(contrastsOnPage);
      assert.ok(ratios.length > 20);
      assert.ok(Math.min(...ratios) >= 4.5, String(Math.min(...ratios)));
    });
  }

  it("does not scroll horizontally on a phone", async () => {
    await open(report, { viewport: { width: 360, height: 740 } });
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360);
  });

  it("prints everything except the filters, dark on white and within the width of a sheet", async () => {
    await open(report, { viewport: { width: 718, height: 1000 }, colorScheme: "dark" });
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("form").isVisible(), false);
    assert.equal(await visibleFindings(), report.findings.length);
    const [color, widths] = await page.evaluate<[string, number[]]>(`[
      getComputedStyle(document.body).color,
      [...document.querySelectorAll("html, .matrix, table")].map(({ scrollWidth }) => scrollWidth),
    ]`);
    assert.equal(color, "rgb(27, 35, 48)");
    assert.ok(Math.max(...widths) <= 718, String(widths));
  });

  it("filters hundreds of projects", async () => {
    const many = reportOn(
      Array.from({ length: 500 }, (_, index) => {
        const project = hostileProjects()[index % 12];
        if (project === undefined) throw new Error("There are fewer than 12 projects");
        return { ...project, _id: `many-${index}`, name: `${project.name}-${index}` };
      }),
    );
    await open(many);
    await page.getByLabel("Search").fill("wiki-488");
    assert.deepEqual(await visibleNames(), ["wiki-488"]);
    assert.deepEqual(incidents, []);
  });
});

/** Script that tells whether one of the hostile texts ran. */
const isHacked = `"hacked" in window`;

/** Script that returns the WCAG contrast of each text with its background. */
const contrastsOnPage = `(() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => {
    const [red, green, blue] = parts(color).map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) => {
    for (let each = element; each !== null; each = each.parentElement) {
      const { backgroundColor } = getComputedStyle(each);
      if (parts(backgroundColor)[3] !== 0) return backgroundColor;
    }
    return "rgb(255, 255, 255)";
  };
  return [...document.querySelectorAll("main *")]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ""))
    .map((element) => {
      const [one, other] = [luminance(getComputedStyle(element).color), luminance(behind(element))];
      return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    });
})()`;
