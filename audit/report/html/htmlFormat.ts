import { hash } from "node:crypto";
import { displayCount, displayText } from "../../../provider/errors/displayText.js";
import { groupBy } from "../../../provider/model/groupBy.js";
import { levels } from "../../rules/finding.js";
import type { Items } from "../../document/document.js";
import { staleItems } from "../auditDocument.js";
import type {
  AuditReport,
  ReportedFinding,
  ReportedProject,
  ReportedRule,
} from "../auditReport.js";
import { auditSummary, coverage, isIdle, extraSentences } from "../sentences.js";
import { pageScript } from "./pageScript.js";
import { pageStyle } from "./pageStyle.js";

/** With more findings than this, the projects are closed at first. */
const maxOpenFindings = 60;

/**
 * Returns the report as one HTML file without other files: a row for each rule and each project, which opens
 * with `<details>`. The script only filters. Without it, the page shows everything.
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
    <h2>Rules</h2>
    <ul class="rows">${report.rules.map((rule) => ruleItem(rule, report))}</ul>
    <h2>Projects</h2>
    ${filterForm(report)}
    <ul class="rows" id="projects">${projectRows(report)}</ul>
    </main>
    ${new Markup(`<script>${pageScript}</script>`)}
    </body>
    </html>`;
  return `${page.text}\n`;
}

function headOf(report: AuditReport): Markup {
  const { tool, service, createdAt, summary } = report;
  const { projects, clean, violated, unknown, accepted } = summary;
  const tile = (title: string, count: number, kind: string) =>
    markup`<div class="${count === 0 ? "" : kind}"><dt>${title}</dt><dd>${count}</dd></div>`;
  const time = createdAt.replace("T", " ").replace(/\..*$/, " UTC");
  return markup`<h1>Project Service audit</h1>
    <p class="faint">${service} · read <time datetime="${createdAt}">${time}</time> · ${tool.name} ${tool.version}</p>
    <p>${auditSummary(report)}</p>
    <dl class="tiles">
    ${tile("Projects", projects, "")}
    ${tile("Without findings", clean, "ok")}
    ${tile("Violated", violated, "error")}
    ${tile("Unknown", unknown, "warning")}
    ${tile("Accepted", accepted, "")}
    </dl>`;
}

function itemsOf({ title, items }: Items): Markup {
  return markup`<p>${title}</p>
    <ul>${items.map((item) => markup`<li>${item}</li>`)}</ul>`;
}

function ruleItem(rule: ReportedRule, report: AuditReport): Markup {
  const { name, severity, description, reason, remedy } = rule;
  const findings = report.findings.filter((finding) => finding.rule === name);
  const checked = `${severity} · ${coverage(rule)} checked`;
  const badges = isIdle(rule) && findings.length === 0 ? "" : badgesOf(findings);
  return markup`<li><details><summary><h3>${name}</h3> <span class="faint">${checked}</span> ${badges}</summary>
    <p id="rule-${name}">${description} <span class="faint">${reason}</span></p>
    <p>${remedy}</p>
    </details></li>\n`;
}

function filterForm({ rules }: AuditReport): Markup {
  const states = ["violated", "unknown", "accepted"];
  const options = (texts: readonly string[]) =>
    texts.map((text) => markup`<option>${text}</option>`);
  return markup`<form role="search" aria-label="Projects" hidden>
    <label>Search <input type="search" name="words" placeholder="Project, environment, finding" /></label>
    <label>Rule <select name="rule"><option value="">All rules</option>${options(rules.map(({ name }) => name))}</select></label>
    <label>Findings <select name="state"><option value="">All projects</option>${options(states)}</select></label>
    <output></output>
    </form>`;
}

function projectRows({ projects, findings }: AuditReport): Markup[] {
  const byProject = groupBy(findings, ({ projectId }) => projectId);
  const worst = ({ projectId }: ReportedProject) =>
    Math.min(levels.length + 1, ...(byProject.get(projectId) ?? []).map(rankOf));
  const isOpen = findings.length <= maxOpenFindings;
  return [...projects]
    .sort((a, b) => worst(a) - worst(b))
    .map((project) => projectRow(project, byProject.get(project.projectId) ?? [], isOpen));
}

function rankOf({ level, accepted }: ReportedFinding): number {
  return accepted === undefined ? levels.indexOf(level) : levels.length;
}

function projectRow(
  { projectId, name }: ReportedProject,
  findings: readonly ReportedFinding[],
  isOpen: boolean,
): Markup {
  const head = markup`<h3><bdi>${displayText(name)}</bdi></h3> <bdi class="faint">${displayText(projectId)}</bdi> ${badgesOf(findings)}`;
  if (findings.length === 0) return markup`<li><div class="row">${head}</div></li>\n`;
  // The remedy of an unknown finding is not that of the rule.
  const groups = groupBy(findings, ({ rule, remedy }) => JSON.stringify([rule, remedy]));
  return markup`<li><details${isOpen ? " open" : ""}><summary>${head}</summary>
    ${[...groups.values()].map(findingGroup)}</details></li>\n`;
}

function findingGroup(findings: readonly ReportedFinding[]): Markup {
  const { rule = "", remedy = "" } = findings[0] ?? {};
  return markup`<p class="faint"><a href="#rule-${rule}">${rule}</a> ${remedy}</p>
    <ul data-rule="${rule}">${findings.map(findingItem)}</ul>`;
}

function findingItem(finding: ReportedFinding): Markup {
  const { state, level, environmentId, message, accepted } = finding;
  const kind = accepted ? "accepted" : state;
  const shownLevel = state === "violated" ? `✗ ${level}` : `? ${level}, unknown`;
  const badge = accepted
    ? markup`<span class="badge">– accepted</span>`
    : markup`<span class="badge ${level}">${shownLevel}</span>`;
  const place = environmentId === undefined ? "whole project" : displayText(environmentId);
  const notes = extraSentences(finding).join(" ");
  const shownNotes = notes === "" ? "" : markup` <em>${notes}</em>`;
  return markup`<li class="${kind}">${badge} <bdi>${place}</bdi> ${message}${shownNotes}</li>`;
}

function badgesOf(findings: readonly ReportedFinding[]): Markup[] {
  if (findings.length === 0) return [markup`<span class="badge ok">✓ no findings</span>`];
  const texts = ["error", "warning", "note", "accepted"];
  return texts.flatMap((text, rank) => {
    const { length } = findings.filter((finding) => rankOf(finding) === rank);
    const shown = text === "accepted" ? `${length} accepted` : displayCount(length, text);
    return length === 0 ? [] : markup`<span class="badge ${text}">${shown}</span> `;
  });
}

/** HTML that is safe to insert into a page. */
class Markup {
  constructor(readonly text: string) {}
}

type Insert = string | number | Markup | readonly Insert[];

/** Template tag for HTML. Escapes every inserted value that is not markup itself. */
function markup(strings: TemplateStringsArray, ...inserts: Insert[]): Markup {
  return new Markup(
    strings
      .map((string) => string.replace(/\n\s+/g, "\n"))
      .reduce((text, string, index) => text + escaped(inserts[index - 1] ?? "") + string),
  );
}

function escaped(insert: Insert): string {
  if (insert instanceof Markup) return insert.text;
  if (typeof insert === "object") return insert.map(escaped).join("");
  return String(insert).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
