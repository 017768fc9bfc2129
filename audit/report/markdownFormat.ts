import { displayText } from "../../provider/errors/displayText.js";
import type { Finding } from "../rules/finding.js";
import { type AuditReport, summarySentence } from "./report.js";

/** A comment on GitHub may have 65,536 characters. The rest is for the remedies. */
const maxTableLength = 48_000;

/**
 * Returns the report as Markdown that fits a comment on a merge request.
 *
 * Texts of the service are escaped, so they create no table cell, HTML, link or mention. The last line
 * counts the findings that do not fit.
 */
export function markdownFormat(report: AuditReport): string {
  const { rules, findings, summary, service } = report;
  const title = `### Project Service audit\n\n${summarySentence(summary)} Read from ${escapeMarkdown(service)}.\n`;
  if (findings.length === 0) return title;
  const rulesWithFindings = rules.filter(({ name }) => findings.some(({ rule }) => rule === name));
  return [
    title,
    "| | Project | Environment | Rule | Finding |\n| --- | --- | --- | --- | --- |",
    ...rowsThatFit(findings),
    "\n<details><summary>Remedies and reasons</summary>\n",
    ...rulesWithFindings.map(
      ({ name, remedy, reason }) =>
        `- **${escapeMarkdown(name)}**: ${escapeMarkdown(remedy)} ${escapeMarkdown(reason)}`,
    ),
    "\n</details>\n",
  ].join("\n");
}

function rowsThatFit(findings: readonly Finding[]): string[] {
  const rows: string[] = [];
  let length = 0;
  for (const row of findings.map(rowOf)) {
    length += row.length + 1;
    if (length > maxTableLength) break;
    rows.push(row);
  }
  const hidden = findings.length - rows.length;
  return hidden === 0
    ? rows
    : [
        ...rows,
        `\n${hidden} more findings do not fit here. The formats json and html contain all findings.`,
      ];
}

function rowOf(finding: Finding): string {
  const { state, projectName, projectId, environmentId, rule, message } = finding;
  const cells = [
    state === "violated" ? "❌ violated" : "❔ unknown",
    `${escapeMarkdown(displayText(projectName))} (${escapeMarkdown(displayText(projectId))})`,
    environmentId === undefined ? "" : escapeMarkdown(displayText(environmentId)),
    escapeMarkdown(rule),
    escapeMarkdown(message),
  ];
  return `| ${cells.join(" | ")} |`;
}

/**
 * Escapes text for Markdown. GitHub finds mentions and links in the unescaped text, so a zero-width
 * space separates their characters.
 */
function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_{}[\]()#+!|~$^]/g, "\\$&")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/@/g, "@\u200b")
    .replace(/:\/\//g, ":\u200b//")
    .replace(/\bwww\./gi, "www\u200b.");
}
