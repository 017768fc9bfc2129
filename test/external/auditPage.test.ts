import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import axe, { type AxeResults } from "axe-core";
import type { AcceptedEntry } from "../../audit/report/acceptance.js";
import { displayText } from "../../provider/errors/displayText.js";
import { type SandboxProject, sampleProjects } from "../../sandbox/index.js";
import { hostileProjects, hostileTexts, mixedReport, reportOn } from "../support/auditReport.js";
import { setOwnServers } from "../support/project.js";
import { useReportPages } from "../support/reportPage.js";

describe("the HTML report in a real browser", () => {
  const pages = useReportPages();
  const report = reportOn(hostileProjects());
  const mixed = mixedReport({ scope: { filters: ["name*=e"], listedProjects: 50 } });

  it("shows all findings of the report on its pages, and no others", async () => {
    const three = reportOn([1, 2, 3].flatMap((copy) => copiesOf(hostileProjects(), copy)));
    const page = await pages.open(three);
    const shown: unknown[] = [];
    const next = page.locator("#findings").getByRole("button", { name: "Next" });
    for (;;) {
      shown.push(...(await page.evaluate<unknown[]>(findingsOnPage)));
      if (!(await next.isEnabled())) break;
      // A click can miss the button on a busy machine, while the page still scrolls.
      await next.press("Enter");
    }
    assert.ok(three.findings.length > 200);
    assert.deepEqual(
      shown,
      three.findings.map(({ projectId, rule, environmentId }) => [
        projectId,
        rule,
        environmentId === undefined ? "whole project" : displayText(environmentId),
      ]),
    );
  });

  it("shows a row for each project, with a cell for each rule", async () => {
    const page = await pages.open(report);
    const names = await page.locator("tbody th > bdi").allTextContents();
    assert.deepEqual(
      names,
      report.projects.map(({ name }) => displayText(name)),
    );
    const shop = page.getByRole("row", { name: /^shop p-1 / }).getByRole("cell");
    assert.deepEqual(
      (await shop.allTextContents()).map((text) => text.trim()),
      ["✓ ok", "✗ 4 violated", "✓ ok", "✓ ok", "✓ ok", "✓ ok", "✓ ok"],
    );
  });

  it("shows where a rule did not check a project", async () => {
    const [shop, ...others] = report.projects;
    const unchecked = { ...shop!, uncheckedBy: ["kept-deployments", "restricted-databases"] };
    const page = await pages.open({ ...report, projects: [unchecked, ...others] });
    const cells = page.getByRole("row", { name: /^shop p-1 / }).getByRole("cell");
    assert.deepEqual(
      (await cells.allTextContents()).map((text) => text.trim()),
      ["✓ ok", "✗ 4 violated", "✓ ok", "not checked", "✓ ok", "✓ ok", "✓ ok"],
    );
    const head = page.getByRole("columnheader", { name: /^guarded-production-branch/ });
    assert.match((await head.textContent()) ?? "", /error · only live · /);
  });

  it("sends no request, and runs no code in texts of the service", async () => {
    const page = await pages.open(report);
    await page.evaluate(`document.querySelectorAll("main *").forEach((element) =>
      element.dispatchEvent(new MouseEvent("mouseover")))`);
    await page.getByLabel("Search").fill(hostileTexts[0]);
    assert.equal(await page.evaluate(isHacked), false);
    assert.equal(
      await page.locator("main script, main style, main img, [onmouseover], [onerror]").count(),
      0,
    );
    assert.deepEqual(pages.incidents, []);
    assert.deepEqual(await page.locator("tbody th > bdi").allTextContents(), [hostileTexts[0]]);
  });

  it("blocks requests and code by its content security policy, even in unescaped text", async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests++;
      response.end();
    }).unref();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const image = `<img src="http://127.0.0.1:${port}/x.png" onerror="window.hacked=1">`;
    const page = await pages.open(report, {
      change: (html) => html.replace("</main>", `${image}<script>window.hacked=1</script></main>`),
    });
    assert.equal(pages.incidents.filter((incident) => /Content Security/.test(incident)).length, 3);
    assert.equal(await page.evaluate(isHacked), false);
    assert.equal(requests, 0);
    await assert.rejects(
      page.evaluate(`document.body.insertAdjacentHTML("beforeend", ${JSON.stringify(image)})`),
      /TrustedHTML/,
    );
    server.close();
  });

  describe("where scripts are blocked", () => {
    const large = reportOn(
      Array.from({ length: 20 }, (_, copy) => copiesOf(sampleProjects(), copy)).flat(),
    );

    it("shows the same as the script, as long as there are few findings", async () => {
      const few = { ...mixed, findings: mixed.findings.slice(0, 200) };
      const page = await pages.open(few);
      // On a screen, cards far below the screen have no text to read.
      await page.emulateMedia({ media: "print" });
      const withScript = await page.locator("#findings li").allInnerTexts();
      await page.close();
      const withoutScript = await pages.open(few, { javaScriptEnabled: false });
      await withoutScript.emulateMedia({ media: "print" });
      const texts = await withoutScript.locator("#findings li").allInnerTexts();
      assert.equal(texts.length, few.findings.length);
      // The script shows 100 findings at a time.
      assert.deepEqual(texts.slice(0, 100), withScript);
    });

    for (const [means, options] of [
      ["by the browser", { javaScriptEnabled: false }],
      [
        "by a content security policy",
        { change: (html: string) => html.replace("script-src", "script-src 'none'; x") },
      ],
    ] as const) {
      it(`${means}, shows the summary, 200 findings, and how many more there are`, async () => {
        const page = await pages.open(large, options);
        assert.equal(await page.locator("li").count(), 200);
        assert.ok(
          await page.getByText(`${large.findings.length - 200} more findings.`).isVisible(),
        );
        assert.ok(await page.getByText("240 projects audited").isVisible());
        assert.ok(await page.getByText("Every webroot is in").isVisible());
        assert.equal(
          await page.locator("form, table, button").filter({ visible: true }).count(),
          0,
        );
      });
    }

    it("shows accepted findings after the others", async () => {
      const accepted = reportOn(
        Array.from({ length: 20 }, (_, copy) => copiesOf(sampleProjects(), copy)).flat(),
        { acceptedEntries: large.findings.slice(0, 300).map(entryOf) },
      );
      const page = await pages.open(accepted, { javaScriptEnabled: false });
      assert.equal(await page.locator("li").count(), 200);
      assert.equal(await page.locator("li.accepted").count(), 200 - (large.findings.length - 300));
    });
  });

  describe("passes axe-core", () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const [device, viewport] of [
        // So high that the browser draws all cards, which axe-core can then see.
        ["a wide screen", { width: 1280, height: 15_000 }],
        ["a phone", { width: 360, height: 30_000 }],
      ] as const) {
        it(`on ${device} in the ${colorScheme} color scheme`, async () => {
          const page = await pages.open(mixed, { colorScheme, viewport });
          await page.evaluate(axe.source);
          const { violations, passes } = await page.evaluate<AxeResults>("axe.run()");
          assert.deepEqual(
            violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
            [],
          );
          const passed = passes.map(({ id }) => id);
          assert.ok(passed.includes("color-contrast") && passed.includes("label"));
        });
      }
    }
  });

  it("does not scroll horizontally on a phone", async () => {
    const page = await pages.open(report, { viewport: { width: 360, height: 740 } });
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360);
  });
});

/** Returns the projects with other ids, on servers of their own. */
function copiesOf(projects: SandboxProject[], copy: number): SandboxProject[] {
  return projects.map((project) => {
    const copied = structuredClone(project);
    copied._id = `${project._id}-${copy}`;
    setOwnServers(copied);
    return copied;
  });
}

function entryOf({
  rule,
  projectId,
  environmentId,
  subject,
  state,
}: ReturnType<typeof reportOn>["findings"][number]): AcceptedEntry {
  const place = environmentId === undefined ? {} : { environmentId };
  return {
    rule,
    projectId,
    ...place,
    subject,
    state,
    reason: `Until ${hostileTexts[1]} is renamed`,
  };
}

/** Script that returns the project id, the rule and the environment of each finding. */
const findingsOnPage = `[...document.querySelectorAll("#findings li")].map((item) => [
  item.closest("section").querySelector(".id").textContent,
  item.querySelector("a").textContent,
  item.querySelector(".environment").textContent.trim(),
])`;

/** Script that tells whether one of the hostile texts ran. */
const isHacked = `"hacked" in window`;
