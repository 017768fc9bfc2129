import { hash } from "node:crypto";
import { displayCount, displayNumber, displayText } from "../../../provider/errors/displayText.js";
import type { Items, Row, Table } from "../../document/document.js";
import { comparisonTables, staleItems } from "../auditDocument.js";
import type { AuditReport } from "../auditReport.js";
import { auditSummary } from "../sentences.js";
import { Markup, markup } from "./markup.js";
import { pageScript } from "./pageScript.js";
import { pageStyle } from "./pageStyle.js";
import { projectList } from "./projectList.js";
import { barOf, groupsTable, headedTable, rulesTable } from "./stateTables.js";

/**
 * Returns the report as one HTML file without other files: the rules, the groups and the projects with findings.
 * The script only filters. Without it, the page shows everything.
 *
 * Texts of the service are escaped. In addition, the content security policy of the page allows no requests,
 * and only the page's own style and script, by their hashes.
 */
export function htmlFormat(report: AuditReport): string {
  const contentSecurityPolicy = [
    "default-src 'none'",
    `style-src 'sha256-${hash("sha256", pageStyle, "base64")}'`,
    `script-src 'sha256-${hash("sha256", pageScript, "base64")}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const page = markup`<!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Project Service audit</title>
    ${new Markup(`<style>${pageStyle}</style>`)}
    </head>
    <body>
    <main>
    ${headOf(report)}
    ${staleItems(report).map(itemsOf)}
    ${rulesTable(report)}
    ${groupsTable(report)}
    ${comparisonTables(report).map(plainTable)}
    <h2 id="projects-title">Projects</h2>
    ${filterForm(report)}
    ${projectList(report)}
    </main>
    ${new Markup(`<script>${pageScript}</script>`)}
    </body>
    </html>`;
  return `${page.text}\n`;
}

function headOf(report: AuditReport): Markup {
  const { tool, service, createdAt, summary } = report;
  const { open, accepted, clean } = summary.projectStates;
  const tile = (title: string, count: number, kind: string, text: string) =>
    markup`<div class="${count === 0 ? "" : kind}"><dt>${title}</dt><dd>${displayNumber(count)}</dd><dd>${text}</dd></div>`;
  const time = createdAt.replace("T", " ").replace(/\..*$/, " UTC");
  const found = displayCount(summary.violated + summary.unknown, "open finding");
  return markup`<h1>Project Service audit</h1>
    <p class="faint">${service} · read <time datetime="${createdAt}">${time}</time> · ${tool.name} ${tool.version}</p>
    <p>${auditSummary(report)}</p>
    <dl class="tiles">
    ${tile("Open", open, "error", `projects, with ${found}`)}
    ${tile("Accepted", accepted, "warning", "projects with accepted findings only")}
    ${tile("Clean", clean, "ok", "projects without findings")}
    </dl>
    ${barOf(summary.projectStates)}`;
}

function itemsOf({ title, items }: Items): Markup {
  return markup`<details><summary>${title} ${items.length}</summary>
    <ul>${items.map((item) => markup`<li>${item}</li>`)}</ul></details>`;
}

function plainTable({ thing, columns, rows }: Table): Markup {
  const cells = (row: Row) => row.cells.map((cell) => markup`<td>${cell}</td>`);
  const lines = rows.map((row) => markup`<tr>${cells(row)}</tr>`);
  return headedTable(`Changes by ${thing}`, columns, lines);
}

function filterForm({ rules, groups = [] }: AuditReport): Markup {
  const select = (title: string, name: string, all: string, texts: readonly string[]) =>
    markup`<label>${title} <select name="${name}"><option value="">${all}</option>${texts.map((text) => markup`<option>${text}</option>`)}</select></label>`;
  const names = groups.map(({ name }) => displayText(name));
  return markup`<form role="search" aria-label="Projects" hidden>
    <label>Search <input type="search" name="words" placeholder="Project, environment, finding" /></label>
    ${select(
      "Rule",
      "rule",
      "All rules",
      rules.map(({ name }) => name),
    )}
    ${names.length === 0 ? "" : select("Group", "group", "All groups", names)}
    ${select("Findings", "state", "All findings", ["violated", "unknown", "accepted"])}
    <output></output>
    </form>`;
}
