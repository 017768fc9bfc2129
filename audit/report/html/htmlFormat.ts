import { hash } from "node:crypto";
import { displayCount, displayNumber, displayText } from "../../../provider/errors/displayText.js";
import { groupBy } from "../../../provider/model/groupBy.js";
import {
  type AuditReport,
  checkedPlaces,
  type ProjectStates,
  projectStates,
  type ReportedRule,
} from "../auditReport.js";
import { auditSummary, coverage } from "../sentences.js";
import { type Insert, Markup, markup } from "./markup.js";
import { pageScript } from "./pageScript.js";
import { pageStyle } from "./pageStyle.js";
import { projectList } from "./projectList.js";

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
    ${rulesTable(report)}
    ${groupsTable(report)}
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
  const found = displayCount(summary.violated + summary.undecided, "open finding");
  return markup`<h1>Project Service audit</h1>
    <p class="faint">${service} · read <time datetime="${createdAt}">${time}</time> · ${tool.name} ${tool.version}</p>
    <p>${auditSummary(report)}</p>
    <dl class="tiles">
    ${tile("Open", open, "error", `projects, with ${found}`)}
    ${tile("Accepted", accepted, "warning", "projects with accepted findings only")}
    ${tile("Clean", clean, "ok", "projects without findings")}
    </dl>`;
}

/** Returns the rules as sentences, those with the most open projects first. */
function rulesTable({ rules, projects, findings }: AuditReport): Markup {
  const byRule = groupBy(findings, ({ rule }) => rule);
  const rows = rules.map((rule) => {
    const found = byRule.get(rule.name) ?? [];
    const ids = new Set(found.map(({ projectId }) => projectId));
    const checked = projects.filter(
      (project) => ids.has(project.projectId) || checkedPlaces(rule, project).length > 0,
    );
    const open = found.filter(({ accepted }) => accepted === undefined);
    const head = ruleHead(rule, displayCount(open.length, "open finding"));
    return { head, states: projectStates(checked, found) };
  });
  rows.sort((a, b) => b.states.open - a.states.open || b.states.accepted - a.states.accepted);
  return stateTable("Rules", "Rule", rows);
}

function ruleHead(rule: ReportedRule, count: string): Markup {
  const { name, level, description, reason, remedy } = rule;
  return markup`<a href="#projects-title" data-name="rule" data-value="${name}">${description}</a>
    <details id="rule-${name}"><summary>${level} · ${coverage(rule)} checked · ${count}</summary>
    <p>${name}</p><p>${reason}</p><p>${remedy}</p></details>`;
}

function groupsTable({ groupBy: key, groups = [] }: AuditReport): Insert {
  if (key === undefined) return "";
  const rows = groups.map(({ name, ...states }) => {
    const text = displayText(name);
    const head = markup`<a href="#projects-title" data-name="group" data-value="${text}">${text}</a>`;
    return { head, states };
  });
  return stateTable("Groups", key, rows);
}

interface StateRow {
  readonly head: Markup;
  readonly states: ProjectStates;
}

/** Returns a table with numbers of projects. */
function stateTable(title: string, thing: string, rows: readonly StateRow[]): Markup {
  const columns = [thing, "Open", "Accepted", "Projects"];
  const lines = rows.map(({ head, states }) => {
    const { open, accepted, clean } = states;
    const cells = [open, accepted, open + accepted + clean].map(
      (count) => markup`<td>${displayNumber(count)}</td>`,
    );
    return markup`<tr><th scope="row">${head}</th>${cells}</tr>\n`;
  });
  return markup`<h2>${title}</h2>
    <table>
    <thead><tr>${columns.map((text) => markup`<th scope="col">${text}</th>`)}</tr></thead>
    <tbody>${lines}</tbody>
    </table>`;
}

function filterForm({ rules, groups = [] }: AuditReport): Markup {
  // The value keeps blanks that the text of an option loses.
  const select = (title: string, name: string, all: string, texts: readonly string[]) =>
    markup`<label>${title} <select name="${name}"><option value="">${all}</option>${texts.map((text) => markup`<option value="${text}">${text}</option>`)}</select></label>`;
  const ruleNames = rules.map(({ name }) => name);
  const names = groups.map(({ name }) => displayText(name));
  return markup`<form role="search" aria-label="Projects" hidden>
    <label>Search <input type="search" name="words" placeholder="Project, environment, finding" /></label>
    ${select("Rule", "rule", "All rules", ruleNames)}
    ${names.length === 0 ? "" : select("Group", "group", "All groups", names)}
    ${select("Findings", "state", "All findings", ["violated", "undecided", "accepted"])}
    <output></output>
    </form>`;
}
