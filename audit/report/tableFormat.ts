import { displayText } from "../../provider/errors/displayText.js";
import type { ReportedFinding } from "./acceptance.js";
import type { AuditReport, FormatOptions } from "./report.js";
import {
  acceptanceSentence,
  staleSentence,
  subjectSentence,
  summarySentence,
} from "./sentences.js";
import {
  columnWidths,
  gap,
  inColumns,
  joinSections,
  pad,
  type Paint,
  painter,
  wrap,
} from "./tableLayout.js";
import { overviewLines } from "./tableOverview.js";

const minWidth = 80;
const maxWidth = 120;
/** With more findings, the table starts with an overview, and shows this many findings in detail. */
const maxDetails = 100;
const maxStaleEntries = 20;
/** With these widths, a table with the names of the house rules fits 80 columns. */
const minWidths = [20, 13, 24];
const titles = ["PROJECT", "ENVIRONMENT", "RULE", "LEVEL", "STATE"];

/**
 * Returns the report for a terminal: a row for each finding with its message below, then the remedies,
 * then the accepted findings, then the summary. A project is named once, at its first finding.
 *
 * A report with more than 100 findings starts with an overview by rule and by project, and has details
 * of the first 100 findings.
 */
export function tableFormat(report: AuditReport, options: FormatOptions): string {
  const width = Math.min(Math.max(options.width, minWidth), maxWidth);
  const paint = painter(options.hasColors);
  const open = report.findings.filter(({ accepted }) => accepted === undefined);
  const accepted = report.findings.filter((finding) => finding.accepted !== undefined);
  const hasOverview = open.length + accepted.length > maxDetails;
  const shown = open.slice(0, maxDetails);
  const shownAccepted = accepted.slice(0, maxDetails - shown.length);
  const withHeading = (heading: string, lines: string[]) =>
    lines.length === 0 ? [] : [paint("strong", heading), ...lines];
  // Each line of an accepted finding is muted as a whole, without the colors of the levels.
  const acceptedLines = findingLines(shownAccepted, width, painter(false)).map((line) =>
    paint("muted", line),
  );
  const sections = [
    ...(hasOverview ? overviewLines(report, width, paint) : []),
    findingLines(shown, width, paint),
    restLines(open.length - shown.length, "finding", width),
    withHeading("REMEDIES", remedyLines(report, shown, width)),
    withHeading("ACCEPTED", acceptedLines),
    restLines(accepted.length - shownAccepted.length, "accepted finding", width),
    withHeading("ACCEPTED ENTRIES THAT MATCH NO FINDING", staleLines(report, width)),
    wrap(summarySentence(report), width).map((line) =>
      paint(open.length === 0 ? "clean" : "strong", line),
    ),
  ];
  return joinSections(sections);
}

function restLines(count: number, thing: string, width: number): string[] {
  if (count === 0) return [];
  const things = count === 1 ? `${thing} is` : `${thing}s are`;
  return wrap(
    `${count} more ${things} not shown. To get everything, add --output audit.html or --output audit.json.`,
    width,
  );
}

function findingLines(findings: readonly ReportedFinding[], width: number, paint: Paint): string[] {
  if (findings.length === 0) return [];
  const rows = findings.map(cellsOf);
  const widths = columnWidths([titles, ...rows], width, minWidths);
  const projectWidth = widths[0] ?? 0;
  const messageWidth = width - projectWidth - 2 * gap.length;
  const lines = findings.flatMap((finding, index) => {
    const { projectId, level, message } = finding;
    const isNamed = findings[index - 1]?.projectId === projectId;
    const [project = "", ...cells] = rows[index] ?? [];
    const right = [
      ...inColumns(cells, widths.slice(1)).map((line, row) =>
        row === 0 ? line.replace(/\S+ +\S+$/, (text) => paint(level, text)) : line,
      ),
      ...[message, ...subjectSentence(finding), ...acceptanceSentence(finding)]
        .flatMap((text) => wrap(text, messageWidth))
        .map((line) => gap + line),
    ];
    const left = isNamed ? [] : wrap(project, projectWidth);
    return Array.from({ length: Math.max(right.length, left.length) }, (_, row) =>
      `${pad(left[row] ?? "", projectWidth)}${gap}${right[row] ?? ""}`.trimEnd(),
    );
  });
  return [...inColumns(titles, widths).map((line) => paint("strong", line)), ...lines];
}

function cellsOf(finding: ReportedFinding): string[] {
  const { projectId, projectName, environmentId, rule, level, state } = finding;
  return [
    `${displayText(projectName)} (${displayText(projectId)})`,
    environmentId === undefined ? "-" : displayText(environmentId),
    rule,
    level,
    state,
  ];
}

function remedyLines(
  { rules }: AuditReport,
  findings: readonly ReportedFinding[],
  width: number,
): string[] {
  const names = new Set(findings.map(({ rule }) => rule));
  const rulesWithFindings = rules.filter(({ name }) => names.has(name));
  const [nameWidth = 0] = columnWidths(
    rulesWithFindings.map(({ name }) => [name]),
    width,
    [],
  );
  return rulesWithFindings.flatMap(({ name, remedy }) =>
    inColumns([name, remedy], [nameWidth, width - nameWidth - gap.length]),
  );
}

function staleLines({ staleAcceptances }: AuditReport, width: number): string[] {
  const hidden = staleAcceptances.length - maxStaleEntries;
  return [
    ...staleAcceptances
      .slice(0, maxStaleEntries)
      .flatMap((entry) => wrap(staleSentence(entry), width)),
    ...(hidden > 0 ? [`${hidden} more entries match no finding. The format json has them.`] : []),
  ];
}
