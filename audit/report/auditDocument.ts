import { displayCount, displayCounts, displayText } from "../../provider/errors/displayText.js";
import { markdownDocument } from "../document/markdownDocument.js";
import { type Block, textDocument } from "../document/textDocument.js";
import type { AuditReport, ReportedFinding, ReportedRule } from "./auditReport.js";
import { auditSummary, coverage, extraSentences, staleSentence } from "./sentences.js";

const title = "Project Service audit";

/** Returns the report for a terminal, with the summary at the end, where people look. */
export function tableFormat(report: AuditReport): string {
  const blocks = [...tablesOf(report), summaryParagraph(report)];
  return textDocument({ title, blocks });
}

/** Returns the report as Markdown that fits a comment on a merge request, with the summary first. */
export function markdownFormat(report: AuditReport): string {
  const text = `Read from ${displayText(report.service, 1000)}.`;
  const blocks: Block[] = [summaryParagraph(report), { kind: "paragraph", text }];
  return markdownDocument({ title, blocks: [...blocks, ...tablesOf(report)] });
}

function summaryParagraph(report: AuditReport): Block {
  return { kind: "paragraph", text: auditSummary(report) };
}

function tablesOf(report: AuditReport): Block[] {
  const { findings, rules } = report;
  const accepted = findings.filter((finding) => finding.accepted !== undefined);
  const open = findings.filter((finding) => finding.accepted === undefined);
  const ofFindings = {
    kind: "table",
    thing: "finding",
    columns: ["Project", "Environment", "Rule", "Level", "State", "Finding"],
  } as const;
  return [
    { ...ofFindings, rows: open.map(findingRow) },
    groupTable(report),
    {
      kind: "table",
      thing: "rule",
      columns: ["Rule", "Checked", "Findings", "Remedy"],
      rows: rules.map((rule) => ruleRow(rule, open)),
    },
    {
      ...ofFindings,
      title: displayCount(accepted.length, "accepted finding"),
      rows: accepted.map(findingRow),
    },
    ...staleItems(report),
  ];
}

function findingRow(finding: ReportedFinding): string[] {
  const { projectId, projectName, environmentId = "", rule, level, state, message } = finding;
  const project = `${displayText(projectName)} (${displayText(projectId)})`;
  const text = [message, ...extraSentences(finding)].join(" ");
  return [project, displayText(environmentId), rule, level, state, text];
}

function ruleRow(rule: ReportedRule, open: readonly ReportedFinding[]): string[] {
  const found = open.filter((each) => each.rule === rule.name);
  const advice = found.length === 0 ? "" : `${rule.remedy} ${rule.reason}`;
  return [rule.name, coverage(rule), displayCount(found.length, "open finding"), advice];
}

function groupTable({ groupBy = "", groups = [] }: AuditReport): Block {
  const rows = groups.map(({ name, open, accepted, clean }) => [
    displayText(name),
    ...displayCounts({ open, accepted, clean }),
  ]);
  const columns = [groupBy, "Projects with open findings", "Accepted only", "Clean"];
  return { kind: "table", thing: "group", columns, rows };
}

function staleItems({ staleAcceptances }: AuditReport): Block[] {
  if (staleAcceptances.length === 0) return [];
  const title = "Accepted entries that match no finding:";
  return [{ kind: "items", title, items: staleAcceptances.map(staleSentence) }];
}
