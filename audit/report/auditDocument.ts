import { displayText } from "../../provider/errors/displayText.js";
import type { ReportedFinding } from "./acceptance.js";
import type { Block, DetailRow, Items, Paragraph } from "./document.js";
import { markdownDocument } from "./markdownDocument.js";
import type { AuditReport, FormatOptions, ReportedRule } from "./report.js";
import {
  checkedText,
  countOf,
  noteSentences,
  staleSentence,
  summarySentence,
} from "./sentences.js";
import { textDocument } from "./textDocument.js";

const title = "Project Service audit";

const minWidth = 80;
const maxWidth = 120;

/** Returns the report for a terminal of 80 to 120 columns, with the summary at the end, where people look. */
export function tableFormat(report: AuditReport, { hasColors, width }: FormatOptions): string {
  const blocks = [...tablesOf(report), summaryOf(report)];
  const columns = Math.min(Math.max(width, minWidth), maxWidth);
  return textDocument({ title, blocks }, hasColors, columns);
}

/** Returns the report as Markdown that fits a comment on a merge request, with the summary first. */
export function markdownFormat(report: AuditReport): string {
  const source: Block = {
    kind: "paragraph",
    text: `Read from ${displayText(report.service, 1000)}.`,
  };
  return markdownDocument({ title, blocks: [summaryOf(report), source, ...tablesOf(report)] });
}

export function summaryOf(report: AuditReport): Paragraph {
  const { violated, unknown } = report.summary;
  const tone = violated + unknown === 0 ? "clean" : "strong";
  return { kind: "paragraph", text: summarySentence(report), tone };
}

/** Returns the findings, what each rule checked, what is accepted, and the accepted entries without a finding. */
function tablesOf(report: AuditReport): Block[] {
  const { findings, rules } = report;
  const accepted = findings.filter((finding) => finding.accepted !== undefined);
  const open = findings.filter((finding) => finding.accepted === undefined);
  const thing = "finding";
  const columns = ["Project", "Environment", "Rule", "Level", "State"];
  return [
    { kind: "details", thing, columns, rows: open.map(findingRow) },
    {
      kind: "details",
      thing: "rule",
      columns: ["Rule", "Checked", "Findings"],
      rows: rules.map((rule) => ruleRow(rule, report)),
    },
    {
      kind: "details",
      title: countOf(accepted.length, "accepted finding"),
      thing,
      columns,
      rows: accepted.map(findingRow),
    },
    ...staleItems(report),
  ];
}

function findingRow(finding: ReportedFinding): DetailRow {
  const { projectId, projectName, environmentId = "-", rule, level, state, message } = finding;
  return {
    cells: [
      `${displayText(projectName)} (${displayText(projectId)})`,
      displayText(environmentId),
      rule,
      level,
      state,
    ],
    tone: finding.accepted === undefined ? level : "muted",
    details: [message, ...noteSentences(finding)],
  };
}

function ruleRow(rule: ReportedRule, report: AuditReport): DetailRow {
  const open = report.findings.filter((each) => each.rule === rule.name && !each.accepted);
  return {
    cells: [rule.name, checkedText(rule), String(open.length)],
    details: open.length === 0 ? [] : [rule.reason, rule.remedy],
  };
}

/** Returns the accepted entries that match no finding. */
export function staleItems({ staleAcceptances }: AuditReport): Items[] {
  if (staleAcceptances.length === 0) return [];
  const title = "Accepted entries that match no finding:";
  return [{ kind: "items", title, items: staleAcceptances.map(staleSentence) }];
}
