import { displayText } from "../../provider/errors/displayText.js";
import { levels } from "../rules/finding.js";
import type { ReportedFinding } from "./acceptance.js";
import { groupBy } from "../../provider/model/groupBy.js";
import type { AuditReport } from "./report.js";
import { columnWidths, gap, inColumns, pad, type Paint, wrap } from "./tableLayout.js";

const shownProjects = 10;
const minNameWidth = 20;
const countTitles = ["ERRORS", "WARNINGS", "NOTES", "ACCEPTED"];

/** Returns two tables that count findings: by rule, and by project for the worst projects. */
export function overviewLines(report: AuditReport, width: number, paint: Paint): string[][] {
  const { rules, findings } = report;
  const ruleRows = rules.map(({ name }) => [
    name,
    ...countsOf(findings.filter(({ rule }) => rule === name)).map(String),
  ]);
  const projects = [...groupBy(findings, ({ projectId }) => projectId).values()]
    .map((ofProject) => ({ nameCell: nameOf(ofProject), counts: countsOf(ofProject) }))
    .sort((one, other) => compareCounts(other.counts, one.counts));
  const worst = projects.slice(0, shownProjects);
  const title =
    projects.length > worst.length
      ? `PROJECT (worst ${worst.length} of ${projects.length})`
      : "PROJECT";
  const projectRows = worst.map(({ nameCell, counts }) => [nameCell, ...counts.map(String)]);
  return [
    table(["RULE", ...countTitles], ruleRows, width, paint),
    table([title, ...countTitles], projectRows, width, paint),
  ];
}

/** Returns the number of errors, warnings, notes and accepted findings. */
function countsOf(findings: readonly ReportedFinding[]): number[] {
  const open = findings.filter(({ accepted }) => accepted === undefined);
  return [
    ...levels.map((level) => open.filter((finding) => finding.level === level).length),
    findings.length - open.length,
  ];
}

/** More errors are worse than any number of warnings, and so on. */
function compareCounts(one: readonly number[], other: readonly number[]): number {
  const difference = one.map((count, index) => count - (other[index] ?? 0));
  return difference.find((value) => value !== 0) ?? 0;
}

function nameOf([finding]: readonly ReportedFinding[]): string {
  if (finding === undefined) return "";
  return `${displayText(finding.projectName)} (${displayText(finding.projectId)})`;
}

function table(
  titles: readonly string[],
  rows: readonly string[][],
  width: number,
  paint: Paint,
): string[] {
  const widths = columnWidths([titles, ...rows], width, [minNameWidth]);
  const [nameWidth = 0, ...countWidths] = widths;
  return [
    ...inColumns(titles, widths).map((line) => paint("strong", line)),
    ...rows.flatMap(([name = "", ...counts]) => {
      // Numbers are easier to compare if they end at the same column.
      const numbers = counts.map((count, column) => count.padStart(countWidths[column] ?? 0));
      const [first = "", ...others] = wrap(name, nameWidth);
      return [[pad(first, nameWidth), ...numbers].join(gap), ...others];
    }),
  ];
}
