import { displayCount, displayText } from "../../provider/errors/displayText.js";
import type { Block, Items, Paragraph, Row } from "../document/document.js";
import { markdownDocument } from "../document/markdownDocument.js";
import { textDocument } from "../document/textDocument.js";
import type { ReportedFinding } from "./acceptance.js";
import type { AuditReport, FormatOptions, ReportedRule } from "./auditReport.js";
import { auditSummary, checkedText, noteSentences, staleSentence } from "./sentences.js";

const title = "Project Service audit";

/** Returns the report for a terminal of 80 to 120 columns, with the summary at the end, where people look. */
export function tableFormat(report: AuditReport, { hasColors, width }: FormatOptions): string {
  const blocks = [...tablesOf(report), summaryParagraph(report)];
  const columns = Math.min(Math.max(width, 80), 120);
  return textDocument({ title, blocks }, hasColors, columns);
}

/** Returns the report as Markdown that fits a comment on a merge request, with the summary first. */
export function markdownFormat(report: AuditReport): string {
  const text = `Read from ${displayText(report.service, 1000)}.`;
  const blocks: Block[] = [summaryParagraph(report), { kind: "paragraph", text }];
  return markdownDocument({ title, blocks: [...blocks, ...tablesOf(report)] });
}

function summaryParagraph(report: AuditReport): Paragraph {
  const { violated, unknown } = report.summary;
  const tone = violated + unknown === 0 ? "clean" : "strong";
  return { kind: "paragraph", text: auditSummary(report), tone };
}

/** Returns the findings, what each rule checked, what is accepted, and the accepted entries without a finding. */
function tablesOf(report: AuditReport): Block[] {
  const { findings, rules } = report;
  const accepted = findings.filter((finding) => finding.accepted !== undefined);
  const open = findings.filter((finding) => finding.accepted === undefined);
  const thing = "finding";
  const columns = ["Project", "Environment", "Rule", "Level", "State"];
  return [
    { kind: "table", thing, columns, rows: open.map(findingRow) },
    {
      kind: "table",
      thing: "rule",
      columns: ["Rule", "Checked", "Findings"],
      rows: rules.map((rule) => ruleRow(rule, report)),
    },
    {
      kind: "table",
      title: displayCount(accepted.length, "accepted finding"),
      thing,
      columns,
      rows: accepted.map(findingRow),
    },
    ...staleItems(report),
  ];
}

function findingRow(finding: ReportedFinding): Row {
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

function ruleRow(rule: ReportedRule, report: AuditReport): Row {
  const open = report.findings.filter((each) => each.rule === rule.name && !each.accepted);
  return {
    cells: [rule.name, checkedText(rule), String(open.length)],
    details: open.length === 0 ? [] : [rule.reason, rule.remedy],
  };
}

export function staleItems({ staleAcceptances }: AuditReport): Items[] {
  if (staleAcceptances.length === 0) return [];
  const title = "Accepted entries that match no finding:";
  return [{ kind: "items", title, items: staleAcceptances.map(staleSentence) }];
}
