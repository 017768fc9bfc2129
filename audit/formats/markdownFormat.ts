import { shown } from "../../provider/shown.js";
import type { Finding } from "../finding.js";
import { type AuditReport, summarySentence } from "../report.js";

/** A comment on GitHub may have 65,536 characters. */
const maxTableLength = 48_000;

/**
 * The report as Markdown that fits a comment on a merge request.
 *
 * Texts of the service are escaped: they make no table cell, HTML, link or mention. What does not fit
 * is counted.
 */
export function markdownFormat(report: AuditReport): string {
  const { rules, findings, summary, service } = report;
  const title = `### Project Service audit\n\n${summarySentence(summary)} Read from ${escaped(service)}.\n`;
  if (findings.length === 0) return title;
  const broken = rules.filter(({ name }) => findings.some(({ rule }) => rule === name));
  return [
    title,
    "| | Project | Environment | Rule | Finding |\n| --- | --- | --- | --- | --- |",
    ...rowsThatFit(findings),
    "\n<details><summary>What to do, and why</summary>\n",
    ...broken.map(
      ({ name, remedy, reason }) => `- **${escaped(name)}**: ${escaped(remedy)} ${escaped(reason)}`,
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
        `\n${hidden} more findings do not fit here: the formats json and html have them all.`,
      ];
}

function rowOf(finding: Finding): string {
  const { state, projectName, projectId, environmentId, rule, message } = finding;
  const cells = [
    state === "violated" ? "❌ violated" : "❔ unknown",
    `${escaped(shown(projectName))} (${escaped(shown(projectId))})`,
    environmentId === undefined ? "" : escaped(shown(environmentId)),
    escaped(rule),
    escaped(message),
  ];
  return `| ${cells.join(" | ")} |`;
}

/**
 * Text that means itself in Markdown. Mentions and links are made of the text that results, hence a
 * space without width in them.
 */
export function escaped(text: string): string {
  return text
    .replace(/[\\`*_{}[\]()#+!|~$^]/g, "\\$&")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/@/g, "@\u200b")
    .replace(/:\/\//g, ":\u200b//")
    .replace(/\bwww\./gi, "www\u200b.");
}
