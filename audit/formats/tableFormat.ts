import { shown } from "../../provider/shown.js";
import type { Finding } from "../finding.js";
import { type AuditReport, summarySentence } from "../report.js";
import { padded, widthOf, wrapped } from "./textWidth.js";

/** How a terminal shows a table. */
export interface Display {
  /** Of the terminal, in columns. */
  readonly width: number;
  readonly hasColors: boolean;
}

const gap = "  ";
const titles = ["PROJECT", "ENVIRONMENT", "RULE", "STATE"];
/** What a column may take; what is longer goes on in the next line. */
const widest = [24, 16, 28, 8];
const styles = { violated: "31", unknown: "33", strong: "1", clean: "32" } as const;

/**
 * The report for a terminal: a row for each finding with its message below, each project named once,
 * then what to do.
 */
export function tableFormat(report: AuditReport, display: Display): string {
  const width = Math.min(Math.max(display.width, 80), 120);
  const paint = (style: keyof typeof styles, text: string) =>
    display.hasColors ? `\u001b[${styles[style]}m${text}\u001b[0m` : text;
  const summary = summarySentence(report.summary);
  if (report.findings.length === 0) return `${paint("clean", summary)}\n`;

  const rows = report.findings.map(cellsOf);
  const widths = widest.map((limit, column) =>
    Math.min(limit, Math.max(...[titles, ...rows].map((cells) => widthOf(cells[column] ?? "")))),
  );
  const left = widths[0] ?? 0;
  const messageWidth = width - left - 2 * gap.length;

  const lines = report.findings.flatMap(({ projectId, state, message }, index) => {
    const isNamed = report.findings[index - 1]?.projectId === projectId;
    const [project = "", ...cells] = rows[index] ?? [];
    const right = [
      ...inColumns(cells, widths.slice(1)).map((line, row) =>
        row === 0 ? line.replace(/\S+$/, (text) => paint(state, text)) : line,
      ),
      ...wrapped(message, messageWidth).map((line) => gap + line),
    ];
    const names = isNamed ? [] : wrapped(project, left);
    return Array.from({ length: Math.max(right.length, names.length) }, (_, row) =>
      `${padded(names[row] ?? "", left)}${gap}${right[row] ?? ""}`.trimEnd(),
    );
  });
  return [
    ...inColumns(titles, widths).map((line) => paint("strong", line)),
    ...lines,
    "",
    paint("strong", "WHAT TO DO"),
    ...remedies(report, width),
    "",
    paint("strong", summary),
    "",
  ].join("\n");
}

function cellsOf({ projectId, projectName, environmentId, rule, state }: Finding): string[] {
  return [
    `${shown(projectName)} (${shown(projectId)})`,
    environmentId === undefined ? "-" : shown(environmentId),
    rule,
    state,
  ];
}

/** One row of cells, which takes as many lines as its highest cell. */
function inColumns(cells: readonly string[], widths: readonly number[]): string[] {
  const columns = cells.map((cell, column) => wrapped(cell, widths[column] ?? 0));
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) =>
    columns
      .map((lines, column) => padded(lines[row] ?? "", widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

function remedies({ rules, findings }: AuditReport, width: number): string[] {
  const broken = rules.filter(({ name }) => findings.some(({ rule }) => rule === name));
  const indent = Math.max(...broken.map(({ name }) => name.length)) + gap.length;
  return broken.flatMap(({ name, remedy }) =>
    wrapped(remedy, width - indent).map(
      (text, row) => (row === 0 ? name : "").padEnd(indent) + text,
    ),
  );
}
