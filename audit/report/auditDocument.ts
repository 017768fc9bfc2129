import { displayText } from "../../provider/errors/displayText.js";
import type { ReportedFinding } from "./acceptance.js";
import type { Document, Row } from "./document.js";
import type { AuditReport, ReportedRule } from "./report.js";
import {
  acceptanceSentence,
  checkedText,
  countOf,
  staleSentence,
  subjectSentence,
  summarySentence,
} from "./sentences.js";

const findingColumns = ["Project", "Environment", "Rule", "Level", "State"];

/** Returns the report as a document: the findings, what each rule checked, what is accepted, and the summary. */
export function auditDocument(report: AuditReport): Document {
  const { findings, rules, staleAcceptances } = report;
  const open = findings.filter(({ accepted }) => accepted === undefined);
  const accepted = findings.filter((finding) => finding.accepted !== undefined);
  return {
    title: "Project Service audit",
    summary: { text: summarySentence(report), style: open.length === 0 ? "clean" : "strong" },
    source: `Read from ${displayText(report.service, 1000)}.`,
    elsewhere: "To get everything, add --output audit.html or --output audit.json.",
    tables: [
      { thing: "finding", columns: findingColumns, rows: open.map(findingRow) },
      {
        thing: "rule",
        columns: ["Rule", "Checked", "Findings"],
        rows: rules.map((rule) => ruleRow(rule, report)),
      },
      {
        title: countOf(accepted.length, "accepted finding"),
        thing: "accepted finding",
        columns: findingColumns,
        rows: accepted.map(findingRow),
      },
      {
        title: "Accepted entries that match no finding",
        thing: "accepted entry",
        columns: [],
        rows: staleAcceptances.map((entry) => ({ cells: [], details: [staleSentence(entry)] })),
      },
    ],
  };
}

function findingRow(finding: ReportedFinding): Row {
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

function ruleRow(rule: ReportedRule, report: AuditReport): Row {
  const open = report.findings.filter((each) => each.rule === rule.name && !each.accepted);
  return {
    cells: [rule.name, checkedText(rule, report), String(open.length)],
    details: open.length === 0 ? [] : [rule.remedy],
  };
}
