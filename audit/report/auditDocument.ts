import { displayText } from "../../provider/errors/displayText.js";
import type { ReportedFinding } from "./acceptance.js";
import type { DetailRow } from "./detailTable.js";
import { type Block, markdownDocument, textDocument } from "./document.js";
import type { AuditReport, FormatOptions, ReportedRule } from "./report.js";
import {
  acceptanceSentence,
  checkedText,
  countOf,
  staleSentence,
  subjectSentence,
  summarySentence,
} from "./sentences.js";

const title = "Project Service audit";
const findingColumns = ["Project", "Environment", "Rule", "Level", "State"];

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
  const source = {
    kind: "paragraph",
    text: `Read from ${displayText(report.service, 1000)}.`,
  } as const;
  return markdownDocument({ title, blocks: [summaryOf(report), source, ...tablesOf(report)] });
}

function summaryOf(report: AuditReport): Block {
  const { violated, unknown } = report.summary;
  const tone = violated + unknown === 0 ? "clean" : "strong";
  return { kind: "paragraph", text: summarySentence(report), tone };
}

/** Returns the findings, what each rule checked, what is accepted, and the accepted entries without a finding. */
function tablesOf(report: AuditReport): Block[] {
  const { findings, rules, staleAcceptances } = report;
  const open = findings.filter(({ accepted }) => accepted === undefined);
  const accepted = findings.filter((finding) => finding.accepted !== undefined);
  return [
    { kind: "details", thing: "finding", columns: findingColumns, rows: open.map(findingRow) },
    {
      kind: "details",
      thing: "rule",
      columns: ["Rule", "Checked", "Findings"],
      rows: rules.map((rule) => ruleRow(rule, report)),
    },
    {
      kind: "details",
      title: countOf(accepted.length, "accepted finding"),
      thing: "accepted finding",
      columns: findingColumns,
      rows: accepted.map(findingRow),
    },
    {
      kind: "details",
      title: "Accepted entries that match no finding",
      thing: "accepted entry",
      columns: [],
      rows: staleAcceptances.map((entry) => ({ cells: [], details: [staleSentence(entry)] })),
    },
  ];
}

function findingRow(finding: ReportedFinding): DetailRow {
  const { projectId, projectName, environmentId, rule, level, state, message } = finding;
  const style = finding.accepted === undefined ? level : "muted";
  return {
    cells: [
      `${displayText(projectName)} (${displayText(projectId)})`,
      environmentId === undefined ? "-" : displayText(environmentId),
      rule,
      { text: level, style },
      state,
    ],
    details: [message, ...subjectSentence(finding), ...acceptanceSentence(finding)],
  };
}

function ruleRow(rule: ReportedRule, report: AuditReport): DetailRow {
  const open = report.findings.filter((each) => each.rule === rule.name && !each.accepted);
  return {
    cells: [rule.name, checkedText(rule), String(open.length)],
    details: open.length === 0 ? [] : [rule.remedy],
  };
}
