import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { AuditReport } from "../../audit/report/report.js";
import { type SandboxProject, sampleProjects } from "../../sandbox/index.js";
import { hostileProjects, reportOn } from "../support/auditReport.js";
import { setOwnServers } from "../support/project.js";
import { useReportPages } from "../support/reportPage.js";

describe("using the HTML report in a real browser", () => {
  const pages = useReportPages();
  const report = reportOn(projectsOf(hostileProjects()));
  const fleet = reportOn(fleetOf(2_000));

  const names = (page: Page) => page.locator("tbody th > bdi").allTextContents();
  const findingCount = (page: Page) => page.locator("#findings li").count();
  const hits = (page: Page) => page.getByRole("search").getByRole("status").textContent();
  const search = (page: Page) => page.getByRole("searchbox", { name: "Search" });

  const select = (page: Page, name: string) => page.getByRole("combobox", { name });

  it("finds projects and findings that contain all words, wherever they are", async () => {
    const page = await pages.open(report);
    await search(page).fill("  PARTNER ");
    assert.deepEqual(await names(page), ["partner-portal"]);
    assert.equal(await findingCount(page), 2);
    await search(page).fill("p-10");
    assert.deepEqual(await names(page), ["status-page"]);
    await search(page).fill("typo3_dev");
    assert.deepEqual(await names(page), ["intranet"]);
    assert.equal(await findingCount(page), 1);
    await search(page).fill("stage partner");
    assert.deepEqual(await names(page), ["partner-portal"]);
    assert.equal(await findingCount(page), 1);
  });

  it("says in a live region how many match, and in words if nothing does", async () => {
    const page = await pages.open(report);
    await search(page).fill("typo3_dev");
    const { projects, findings } = report;
    assert.equal(
      await hits(page),
      `1 of ${projects.length} projects, 1 of ${findings.length} findings`,
    );
    await search(page).fill("nothing has this");
    assert.deepEqual(await names(page), []);
    assert.ok(await page.getByText("No projects match the filters.").isVisible());
    assert.ok(await page.getByText("No findings match the filters.").isVisible());
  });

  it("filters by rule and state together, and resets the filters", async () => {
    const page = await pages.open(report);
    await select(page, "Rule").selectOption("initialized-environments");
    assert.deepEqual(await names(page), ["relaunch"]);
    assert.equal(await findingCount(page), 6);
    await select(page, "State").selectOption("unknown");
    assert.deepEqual(await names(page), []);
    await select(page, "Rule").selectOption("");
    assert.deepEqual(await names(page), ["shop"]);
    assert.equal(await findingCount(page), 2);
    await select(page, "State").selectOption("ok");
    assert.deepEqual(await names(page), ["docs", "status-page"]);
    assert.equal(await findingCount(page), 0);
    await page.getByRole("button", { name: "Show all" }).click();
    assert.equal((await names(page)).length, report.projects.length);
  });

  it("filters by level, and shows the level of each finding", async () => {
    const page = await pages.open(report);
    await select(page, "Level").selectOption("warning");
    const warnings = report.findings.filter(({ level }) => level === "warning");
    assert.deepEqual(
      await page.locator("#findings li .level").allTextContents(),
      warnings.map(() => "warning"),
    );
    assert.ok(warnings.length > 0);
  });

  it("shows, hides and explains accepted findings, and names stale entries", async () => {
    const page = await pages.open(acceptedReport());
    const accepted = page.locator("#findings li.accepted");
    assert.match(
      (await accepted.textContent()) ?? "",
      /Accepted by jo until 2026-12-31: Moves soon/,
    );
    assert.ok(
      await page
        .getByText("expired, its last day was 2026-01-31: Waits for the vendor")
        .isVisible(),
    );
    assert.ok(await page.getByText("rule kept-deployments, project p-1").isVisible());
    assert.ok(await page.getByText("20 projects with name*=shop").isVisible());
    await page.getByRole("link", { name: "1", exact: true }).click();
    assert.equal(await select(page, "Acceptance").inputValue(), "accepted");
    assert.equal(await findingCount(page), 1);
    await select(page, "Acceptance").selectOption("open");
    assert.equal(await accepted.count(), 0);
    await select(page, "Acceptance").selectOption("expired");
    assert.equal(await findingCount(page), 1);
    await select(page, "Acceptance").selectOption("");
    await select(page, "State").selectOption("ok");
    // All findings of this project are accepted.
    assert.deepEqual(await names(page), ["careers", "docs", "status-page"]);
  });

  it("keeps the filters in the address, over a reload and back again", async () => {
    const page = await pages.open(fleet);
    await search(page).fill("wiki & more");
    await select(page, "State").selectOption("violated");
    await page.waitForURL(/#search=wiki\+%26\+more&state=violated$/);
    await page.reload();
    assert.equal(await search(page).inputValue(), "wiki & more");
    assert.equal(await select(page, "State").inputValue(), "violated");
    assert.deepEqual(await names(page), []);
    await search(page).fill("wiki-489");
    await page.waitForURL(/#search=wiki-489&state=violated$/);
    assert.deepEqual(await names(page), ["wiki-489"]);
    await page.locator("tbody td a").first().click();
    await page.waitForURL(/&finding=\d+$/);
    await page.goBack();
    assert.equal(await search(page).inputValue(), "wiki-489");
    assert.deepEqual(await names(page), ["wiki-489"]);
  });

  it("ignores an address that it does not understand", async () => {
    const page = await pages.open(report);
    await page.evaluate(`location.hash = "#state=nonsense&finding=99999&rule=%"`);
    await page.reload();
    assert.equal((await names(page)).length, report.projects.length);
    assert.equal(await select(page, "State").inputValue(), "");
    assert.deepEqual(pages.incidents, []);
  });

  it("leads with the keyboard from a cell to its finding, on whatever page that is", async () => {
    const page = await pages.open(fleet);
    await search(page).focus();
    await page.keyboard.type("wiki-");
    await page.getByRole("searchbox", { name: "Search" }).press("Tab");
    const last = page.locator("tbody tr").last();
    const [id] = await last.locator(".id").allTextContents();
    await last.getByRole("link").focus();
    await page.keyboard.press("Enter");
    const focused = page.locator("li:focus");
    await focused.waitFor();
    assert.equal(
      await focused.locator("xpath=ancestor::section[1]").locator(".id").textContent(),
      id,
    );
    const top = await page.evaluate<number>("document.activeElement.getBoundingClientRect().top");
    assert.ok(top > 0 && top < 900, String(top));
    // A link to a rule leaves the address as it is.
    const address = page.url();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.match(
      (await page.locator("dt:focus").textContent()) ?? "",
      /^restricted-databases\s+error$/,
    );
    assert.equal(page.url(), address);
  });

  it("turns pages with the keyboard, and says where it is", async () => {
    const page = await pages.open(fleet);
    const pager = page.getByRole("navigation", { name: "Pages of projects" });
    assert.equal((await names(page)).length, 50);
    assert.ok(await pager.getByRole("button", { name: "Previous" }).isDisabled());
    await pager.getByRole("button", { name: "Next" }).focus();
    await page.keyboard.press("Enter");
    assert.equal(
      await page.locator("h2:focus").textContent(),
      "Projects and rules 51–100 of 2,000 projects",
    );
    assert.equal(await page.locator("tbody tr").first().getAttribute("aria-rowindex"), "52");
    assert.equal(await page.getByRole("table").getAttribute("aria-rowcount"), "2001");
  });

  it("has few elements, however many projects there are", async () => {
    const page = await pages.open(fleet);
    assert.ok((await page.locator("*").count()) < 3_000);
  });

  it("prints at most 1,000 rows that match the filters, and says so", async () => {
    const page = await pages.open(fleet, { colorScheme: "dark" });
    // Runs after the page's own listener.
    await page.evaluate(`addEventListener("beforeprint", () => {
      globalThis.printed = [
        document.querySelectorAll("tbody tr").length,
        document.querySelectorAll("#findings li").length,
        document.querySelector(".printed-filters").textContent,
        ...[...document.querySelectorAll(".range")].map(({ textContent }) => textContent),
      ];
    })`);
    // The events of a print, without the slow print of 2,000 rows.
    await page.evaluate(`dispatchEvent(new Event("beforeprint"))`);
    assert.deepEqual(await page.evaluate("printed"), [
      1_000,
      1_000,
      "",
      "This print shows the first 1,000 of 2,000 projects.",
      `This print shows the first 1,000 of ${fleet.findings.length.toLocaleString("en")} findings.`,
    ]);
    await page.evaluate(`dispatchEvent(new Event("afterprint"))`);
    assert.equal(await findingCount(page), 100);
    await select(page, "Rule").selectOption("initialized-environments");
    await page.pdf();
    assert.deepEqual(await page.evaluate("printed"), [
      166,
      996,
      "Filters: rule: initialized-environments",
      "166 projects",
      "996 findings",
    ]);
  });

  it("prints dark on white, without filters and within the width of a sheet", async () => {
    const page = await pages.open(report, {
      viewport: { width: 718, height: 1000 },
      colorScheme: "dark",
    });
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("form, .pager").filter({ visible: true }).count(), 0);
    const [color, widths] = await page.evaluate<[string, number[]]>(`[
      getComputedStyle(document.body).color,
      [...document.querySelectorAll("html, .matrix, table")].map(({ scrollWidth }) => scrollWidth),
    ]`);
    assert.equal(color, "rgb(27, 35, 48)");
    assert.ok(Math.max(...widths) <= 718, String(widths));
  });
});

/** Returns the sandbox's projects, of which relaunch should have been deployed. */
function projectsOf(projects = sampleProjects()): SandboxProject[] {
  for (const project of projects) {
    if (project.name === "relaunch") project.status = "DEPLOYED";
  }
  return projects;
}

/** Returns copies of the sandbox's projects, each with a name and servers of its own. */
function fleetOf(count: number): SandboxProject[] {
  const samples = projectsOf();
  return Array.from({ length: count }, (_, index) => {
    const project = structuredClone(samples[index % samples.length] as SandboxProject);
    project._id = `p-${index + 1}`;
    project.name = `${project.name}-${index + 1}`;
    setOwnServers(project);
    return project;
  });
}

/** Returns a report with an accepted finding, an expired acceptance and a stale entry. */
function acceptedReport(): AuditReport {
  const rule = "restricted-databases";
  const state = "violated";
  const stage = { rule, state, environmentId: "stage" } as const;
  const { findings } = reportOn(sampleProjects());
  const subjectOf = (projectId: string): string =>
    findings.find(
      (finding) =>
        finding.rule === rule &&
        finding.projectId === projectId &&
        finding.environmentId === stage.environmentId,
    )?.subject ?? "";
  return reportOn(sampleProjects(), {
    scope: { filters: ["name*=shop"], listedProjects: 20 },
    acceptedEntries: [
      {
        ...stage,
        projectId: "p-4",
        subject: subjectOf("p-4"),
        reason: "Moves soon",
        until: "2026-12-31",
        acceptedBy: "jo",
      },
      {
        ...stage,
        projectId: "p-2",
        subject: subjectOf("p-2"),
        reason: "Waits for the vendor",
        until: "2026-01-31",
      },
      {
        rule: "kept-deployments",
        state,
        projectId: "p-1",
        subject: "deploymentsToKeep 2",
        reason: "Left over",
      },
    ],
  });
}
