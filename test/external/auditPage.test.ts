import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe, { type AxeResults } from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { keptDeployments } from "../../audit/builtInRules/keptDeployments.js";
import { htmlFormat } from "../../audit/report/html/htmlFormat.js";
import { displayText } from "../../provider/errors/displayText.js";
import { findChromium } from "../../tools/external/chromium.js";
import { hostileTexts, mixedReport, reportOn } from "../support/auditReport.js";
import { toolOrSkip } from "../support/toolOrSkip.js";

function groupedReport() {
  const project = (projectId: string, group: string | undefined, deploymentsToKeep: number) => ({
    ...{ projectId, name: projectId, codeRepository: { group } },
    environments: [{ environmentId: "live", deploymentsToKeep }],
  });
  const projects = [
    project("a", "retail  north", 1),
    project("b", "retail  north", 3),
    project("c", undefined, 1),
  ];
  return reportOn(projects, [keptDeployments()], [], { groupBy: "codeRepository.group" });
}

describe("the HTML report in a real browser", () => {
  const report = mixedReport();
  const html = htmlFormat(report);
  let browser: Browser;
  let directory: string;
  /** Requests other than the page itself, console messages, errors and dialogs. */
  let incidents: string[];

  before(async function () {
    this.timeout(10 * 60_000);
    const say = (step: string) => console.error(`    ${step}`);
    const executablePath = await toolOrSkip(this, () => findChromium(say));
    const args = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"];
    browser = await chromium.launch({ executablePath, args });
    directory = await mkdtemp(join(tmpdir(), "audit-page-"));
  });
  after(async () => {
    await browser?.close();
    if (directory !== undefined) await rm(directory, { recursive: true });
  });

  async function open(options: BrowserContextOptions = {}, text = html): Promise<Page> {
    const file = join(directory, "report.html");
    await writeFile(file, text);
    const url = pathToFileURL(file).href;
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
    incidents = [];
    page.on("request", (request) => {
      if (request.url() !== url) incidents.push(`request ${request.url()}`);
    });
    page.on("console", (message) => incidents.push(`console ${message.text()}`));
    page.on("pageerror", (error) => incidents.push(`error ${error.message}`));
    page.on("dialog", (dialog) => incidents.push(`dialog ${dialog.message()}`));
    await page.goto(url);
    return page;
  }

  const visible = (page: Page, selector: string) =>
    page.locator(selector).filter({ visible: true });
  const rows = (page: Page) => visible(page, "#projects > [data-group]");
  const findings = (page: Page) =>
    page.locator("#projects > li:not([hidden]) ul > li:not([hidden])");
  const found = new Set(report.findings.map(({ projectId }) => projectId));
  const openAll = (page: Page) =>
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");

  /** Waits until the rows show what the fields ask for: the page filters after the next frame. */
  const filtered = (page: Page) =>
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");

  async function search(page: Page, text: string): Promise<void> {
    await page.getByRole("searchbox", { name: "Search" }).fill(text);
    await filtered(page);
  }

  it("has the rules, and a row for each project with findings, with each finding, without a script too", async () => {
    const page = await open({ javaScriptEnabled: false });
    assert.equal(await visible(page, "form").count(), 0);
    assert.equal(await rows(page).count(), found.size);
    const texts = await rows(page).allTextContents();
    for (const { message, projectId, environmentId } of report.findings) {
      const text = texts.find((each) => each.includes(` ${projectId} `)) ?? "";
      assert.ok(text.includes(message) && text.includes(displayText(environmentId ?? "")), message);
    }
    await page.locator("table summary").first().press("Enter");
    assert.ok(await page.locator("table details[open] p").first().isVisible());
  });

  it("has the projects with the most open errors first, then warnings, then by name", async () => {
    const page = await open();
    const openIn = (id: string, wanted: string) =>
      report.findings.filter(
        ({ projectId, level, accepted }) => projectId === id && level === wanted && !accepted,
      ).length;
    const names = new Map(report.projects.map(({ projectId, name }) => [projectId, name]));
    const expected = [...found].sort(
      (a, b) =>
        openIn(b, "error") - openIn(a, "error") ||
        openIn(b, "warning") - openIn(a, "warning") ||
        openIn(b, "note") - openIn(a, "note") ||
        (names.get(a)! < names.get(b)! ? -1 : 1),
    );
    const shown = await rows(page).allTextContents();
    assert.deepEqual(
      shown.map((text) => expected.find((id) => text.includes(` ${id} `))),
      expected,
    );
  });

  it("counts the projects of each rule and each group, and filters by a click", async () => {
    const page = await open({}, htmlFormat(groupedReport()));
    const row = page.locator("tr", { hasText: "Every environment keeps at least 3" });
    assert.deepEqual(await row.locator("td").allTextContents(), ["2", "0", "3"]);
    await page.getByRole("link", { name: "retail north" }).click();
    await filtered(page);
    assert.equal(await page.getByRole("status").textContent(), "1 of 2 projects with findings");
    assert.deepEqual(
      await page.locator("tr", { hasText: "retail north" }).locator("td").allTextContents(),
      ["1", "0", "2"],
    );
    await page.getByRole("combobox", { name: "Group" }).selectOption("");
    await page.getByRole("link", { name: "Every environment keeps at least 3" }).click();
    await filtered(page);
    assert.equal(await page.getByRole("status").textContent(), "2 of 2 projects with findings");
  });

  it("finds projects and findings by all words, a rule and a state, and says how many", async () => {
    const page = await open();
    const select = async (name: string, value: string) => {
      await page.getByRole("combobox", { name }).selectOption(value);
      await filtered(page);
    };
    await openAll(page);
    await search(page, "  SHOP Stage ");
    const texts = await findings(page).allTextContents();
    assert.ok(texts.length > 0 && texts.every((text) => /stage/i.test(text)), texts.join());
    await search(page, "nothing has this");
    const status = await page.getByRole("status").textContent();
    assert.equal(status, `0 of ${found.size} projects with findings`);
    await search(page, "");
    assert.equal(await findings(page).count(), report.findings.length, "all are shown again");
    await select("Rule", "warning-rule");
    await select("Findings", "accepted");
    const accepted = report.findings.filter(
      ({ rule, accepted }) => rule === "warning-rule" && accepted !== undefined,
    );
    const ids = new Set(accepted.map(({ projectId }) => projectId));
    assert.equal(await rows(page).count(), ids.size);
  });

  it("can be used with the keyboard alone", async () => {
    const page = await open();
    await page.getByRole("searchbox").focus();
    await page.keyboard.type("intranet");
    await filtered(page);
    for (const control of ["SELECT", "SELECT", "SUMMARY"]) {
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate("document.activeElement.tagName"), control);
    }
    await page.keyboard.press("Enter");
    await page.locator("details[open] ul").waitFor();
    await page.keyboard.press("Tab");
    const rule = await page.locator("a:focus").textContent();
    await page.keyboard.press("Enter");
    assert.ok(await page.locator(`#rule-${rule}`).isVisible());
  });

  it("lets no text of the service send a request or run, even if it were not escaped", async () => {
    const page = await open();
    await openAll(page);
    await search(page, hostileTexts[0]);
    assert.ok(
      await rows(page).locator("summary b").getByText(hostileTexts[0], { exact: true }).isVisible(),
    );
    assert.equal(await page.locator("main :is(script, style, img, [onmouseover])").count(), 0);
    assert.deepEqual(incidents, []);
    const attack = `<img src="http://127.0.0.1:9/x.png" onerror="hacked=1"><script>hacked=1</script>`;
    const attacked = await open({}, html.replace("</main>", `${attack}</main>`));
    assert.equal(incidents.filter((incident) => /Content Security/.test(incident)).length, 3);
    assert.equal(await attacked.evaluate(`"hacked" in window`), false);
  });

  it("passes axe-core and fits its screen, wide and at 320 pixels, light and dark", async () => {
    const longName = `<option>${"long-".repeat(15)}</option>`;
    const longNames = html.replaceAll("</select>", `${longName}</select>`);
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 320],
    ] as const) {
      // So high that the browser draws all rows, which axe-core can then see.
      const page = await open({ colorScheme, viewport: { width, height: 40_000 } }, longNames);
      await openAll(page);
      await page.evaluate(axe.source);
      const { violations, passes } = await page.evaluate<AxeResults>("axe.run()");
      const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
      assert.deepEqual(found, [], `${colorScheme} at ${width} pixels`);
      const passed = passes.map(({ id }) => id);
      assert.ok(passed.includes("color-contrast") && passed.includes("label"));
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
      await page.close();
    }
  });
});
