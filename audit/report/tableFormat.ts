import stringWidth from "fast-string-width";
import { wrapAnsi } from "fast-wrap-ansi";
import { displayText } from "../../provider/errors/displayText.js";
import type { Finding } from "../rules/finding.js";
import { type AuditReport, summarySentence } from "./report.js";

/** The terminal that shows a table. */
export interface Terminal {
  /** In columns. */
  readonly width: number;
  readonly hasColors: boolean;
}

type Paint = (style: keyof typeof styles, text: string) => string;

const minWidth = 80;
const maxWidth = 120;
const gap = "  ";
const titles = ["PROJECT", "ENVIRONMENT", "RULE", "STATE"];
/** Widths of the columns. A longer text continues on the next line. */
const maxWidths = [24, 16, 28, 8];
const styles = { violated: "31", unknown: "33", strong: "1", clean: "32" } as const;

/**
 * Returns the report for a terminal: a row for each finding with its message below, then the remedies.
 * A project is named once, at its first finding.
 */
export function tableFormat(report: AuditReport, terminal: Terminal): string {
  const width = Math.min(Math.max(terminal.width, minWidth), maxWidth);
  const paint: Paint = (style, text) =>
    terminal.hasColors ? `\u001b[${styles[style]}m${text}\u001b[0m` : text;
  const summary = summarySentence(report.summary);
  if (report.findings.length === 0) return `${paint("clean", summary)}\n`;
  return [
    ...findingLines(report.findings, width, paint),
    "",
    paint("strong", "REMEDIES"),
    ...remedyLines(report, width),
    "",
    paint("strong", summary),
    "",
  ].join("\n");
}

function findingLines(findings: readonly Finding[], width: number, paint: Paint): string[] {
  const rows = findings.map(cellsOf);
  const widths = maxWidths.map((limit, column) =>
    Math.min(
      limit,
      Math.max(...[titles, ...rows].map((cells) => stringWidth(cells[column] ?? ""))),
    ),
  );
  const projectWidth = widths[0] ?? 0;
  const messageWidth = width - projectWidth - 2 * gap.length;
  const lines = findings.flatMap(({ projectId, state, message }, index) => {
    const isNamed = findings[index - 1]?.projectId === projectId;
    const [project = "", ...cells] = rows[index] ?? [];
    const right = [
      ...inColumns(cells, widths.slice(1)).map((line, row) =>
        row === 0 ? line.replace(/\S+$/, (text) => paint(state, text)) : line,
      ),
      ...wrap(message, messageWidth).map((line) => gap + line),
    ];
    const left = isNamed ? [] : wrap(project, projectWidth);
    return Array.from({ length: Math.max(right.length, left.length) }, (_, row) =>
      `${pad(left[row] ?? "", projectWidth)}${gap}${right[row] ?? ""}`.trimEnd(),
    );
  });
  return [...inColumns(titles, widths).map((line) => paint("strong", line)), ...lines];
}

function cellsOf({ projectId, projectName, environmentId, rule, state }: Finding): string[] {
  return [
    `${displayText(projectName)} (${displayText(projectId)})`,
    environmentId === undefined ? "-" : displayText(environmentId),
    rule,
    state,
  ];
}

/** Returns one row of cells. It has as many lines as its highest cell. */
function inColumns(cells: readonly string[], widths: readonly number[]): string[] {
  const columns = cells.map((cell, column) => wrap(cell, widths[column] ?? 0));
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) =>
    columns
      .map((lines, column) => pad(lines[row] ?? "", widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

function remedyLines({ rules, findings }: AuditReport, width: number): string[] {
  const rulesWithFindings = rules.filter(({ name }) => findings.some(({ rule }) => rule === name));
  const indent = Math.max(...rulesWithFindings.map(({ name }) => name.length)) + gap.length;
  return rulesWithFindings.flatMap(({ name, remedy }) =>
    wrap(remedy, width - indent).map((text, row) => (row === 0 ? name : "").padEnd(indent) + text),
  );
}

/** Breaks a text into lines between words, and within a word that is longer than a line. */
function wrap(text: string, width: number): string[] {
  return wrapAnsi(text, width, { hard: true }).split("\n");
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}
