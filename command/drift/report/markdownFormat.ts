import { escapeMarkdown } from "../../../audit/report/escapeMarkdown.js";
import { joinSections } from "../../../audit/report/tableLayout.js";
import type { SnapshotChanges } from "../compare/snapshotChanges.js";
import type { DriftReport } from "./driftReport.js";
import {
  otherResourcesSentence,
  partsOf,
  programChangeText,
  summarySentence,
} from "./sentences.js";

/** A comment on GitHub may have 65,536 characters. */
const maxTableLength = 50_000;

const tableHead = ["| Project | Environment | Field | Change |", "| --- | --- | --- | --- |"];

/**
 * Returns the report as Markdown, for the summary of a job or a comment. Texts of the service are
 * escaped, so they create no table cell, HTML, link or mention.
 */
export function markdownFormat(report: DriftReport): string {
  const rows = report.snapshots.flatMap((snapshot) => rowsOf(snapshot));
  const shown = fittingRows(rows);
  const program = report.snapshots.flatMap((snapshot) =>
    snapshot.programChanges.map(
      (change) => `- ${escapeMarkdown(programChangeText(snapshot, change))}`,
    ),
  );
  const sections = [
    ["### Project Service drift"],
    [escapeMarkdown(summarySentence(report))],
    shown.length === 0 ? [] : [...tableHead, ...shown],
    shown.length === rows.length
      ? []
      : [`${rows.length - shown.length} more changes do not fit here. The format json has them.`],
    program.length === 0 ? [] : ["Changes to the program, no drift:", "", ...program],
    otherResourcesSentence(report),
  ];
  return joinSections(sections);
}

function rowsOf(snapshot: SnapshotChanges): string[] {
  return snapshot.changes.map((change) => {
    const { project, environment, subject, field, change: text } = partsOf(change, snapshot);
    const place = project === "" ? `all projects of ${snapshot.name}` : project;
    const cells = [place, environment, [subject, field].filter(Boolean).join(" "), text];
    return `| ${cells.map(escapeMarkdown).join(" | ")} |`;
  });
}

function fittingRows(rows: readonly string[]): string[] {
  const shown: string[] = [];
  let length = 0;
  for (const row of rows) {
    length += row.length + 1;
    if (length > maxTableLength) break;
    shown.push(row);
  }
  return shown;
}
