import { escapeMarkdown, fitting } from "./markdownText.js";
import { columnWidths, gap, pad, type Paint, type Tone, wrap } from "./textLayout.js";

export interface Row {
  /** One for each column. */
  readonly cells: readonly string[];
  /** The tone of the last cell. */
  readonly tone?: Tone;
}

/** A table whose rows have sentences about them. Without rows, nothing is shown. */
export interface DetailTable {
  readonly kind: "details";
  /** Markdown folds a table with a title. */
  readonly title?: string;
  /** What a row is, for the sentence that counts rows that are not shown. */
  readonly thing: string;
  readonly columns: readonly string[];
  readonly rows: readonly DetailRow[];
}

/** A first cell that equals the one above is shown only once, except in Markdown. */
export interface DetailRow extends Row {
  /** Sentences about the row: below it as text, and its last cell in Markdown. */
  readonly details: readonly string[];
}

/** Text shows so many rows of a table and items of a list. */
export const maxTextRows = 100;

/** Returns the first 100 rows as text. */
export function detailLines(table: DetailTable, paint: Paint, width: number): string[] {
  if (table.rows.length === 0) return [];
  const shown = table.rows.slice(0, maxTextRows);
  const head = table.columns.map((title) => title.toUpperCase());
  const widths = columnWidths([head, ...shown.map(({ cells }) => cells)], width);
  const indent = " ".repeat((widths[0] ?? 0) + 2 * gap.length);
  const lines = shown.flatMap(({ cells, details, tone }, index) => {
    const [first = "", ...others] = cells;
    const isSame = shown[index - 1]?.cells[0] === first;
    return [
      ...rowLines([isSame ? "" : first, ...others], widths, (last) => paint(tone, last)),
      ...details.flatMap((text) => wrap(text, width - indent.length)).map((line) => indent + line),
    ];
  });
  return [
    ...(table.title === undefined ? [] : [paint("strong", table.title.toUpperCase())]),
    ...rowLines(head, widths).map((line) => paint("strong", line)),
    ...lines,
    ...restSentence(table, shown.length).flatMap((text) => ["", ...wrap(text, width)]),
  ];
}

/** Returns one row of cells. It has as many lines as its highest cell. */
function rowLines(cells: readonly string[], widths: readonly number[], paintLast = unpainted) {
  const columns = cells.map((cell, column) => wrap(cell, widths[column] ?? 0));
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) => {
    const texts = columns.map((lines) => lines[row] ?? "");
    const last = texts.pop() ?? "";
    const padded = texts.map((text, column) => pad(text, widths[column] ?? 0) + gap);
    return (padded.join("") + (last === "" ? "" : paintLast(last))).trimEnd();
  });
}

const unpainted = (text: string) => text;

const icons: Partial<Record<Tone, string>> = {
  error: "❌ ",
  warning: "⚠️ ",
  note: "ℹ️ ",
  muted: "☑️ ",
};
/** Space for the lines around the rows of a table. */
const reservedLength = 500;

/** Returns the rows that fit as Markdown. */
export function markdownDetails(table: DetailTable, maxLength: number): string[] {
  const { title, columns, rows } = table;
  if (rows.length === 0) return [];
  const lines = fitting(rows.map(markdownRow), maxLength - reservedLength);
  const head = [`| ${columns.join(" | ")} | |`, `|${" --- |".repeat(columns.length + 1)}`];
  const rest = restSentence(table, lines.length).flatMap((text) => ["", escapeMarkdown(text)]);
  const shown = [...(lines.length > 0 ? head : []), ...lines, ...rest];
  if (title === undefined) return shown;
  return [`<details><summary>${title}</summary>`, "", ...shown, "", "</details>"];
}

function markdownRow({ cells, tone, details }: DetailRow): string {
  const texts = [...cells, details.join(" ")].map(escapeMarkdown);
  const icon = (tone && icons[tone]) ?? "";
  return `| ${texts.with(-2, icon + texts.at(-2)).join(" | ")} |`;
}

function restSentence({ rows, thing }: DetailTable, shown: number): string[] {
  const hidden = rows.length - shown;
  if (hidden <= 0) return [];
  return [
    `${hidden} more ${thing}${hidden === 1 ? " is" : "s are"} not shown. To get everything, add --output audit.html or --output audit.json.`,
  ];
}
