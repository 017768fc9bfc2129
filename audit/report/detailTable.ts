import { escapeMarkdown } from "./escapeMarkdown.js";
import { columnWidths, gap, inColumns, pad, type Paint, type Style, wrap } from "./tableLayout.js";

/** A table whose rows have sentences about them. Without rows, nothing is shown. Without columns, it is a list. */
export interface DetailTable {
  readonly kind: "details";
  /** Markdown folds a table with a title. */
  readonly title?: string;
  /** What a row is, for the sentence that counts rows that are not shown. */
  readonly thing: string;
  readonly columns: readonly string[];
  readonly rows: readonly DetailRow[];
}

export interface DetailRow {
  /** Text shows a first cell that equals the one above only once. */
  readonly cells: readonly (string | StyledCell)[];
  /** Sentences about the row: below it as text, and its last cell in Markdown. */
  readonly details: readonly string[];
}

interface StyledCell {
  readonly text: string;
  readonly style: Style;
}

/** With these widths, a table with the names of the house rules fits 80 columns. */
const minWidths = [20, 13, 24];
const maxTextRows = 100;

/** Returns the first 100 rows as text. */
export function detailLines(table: DetailTable, paint: Paint, width = 100): string[] {
  if (table.rows.length === 0) return [];
  const heading = table.title === undefined ? [] : [paint("strong", table.title.toUpperCase())];
  const rest = restSentence(table, maxTextRows).flatMap((text) => ["", ...wrap(text, width)]);
  return [...heading, ...rowLines(table, paint, width), ...rest];
}

function rowLines({ columns, ...table }: DetailTable, paint: Paint, width: number): string[] {
  const shown = table.rows.slice(0, maxTextRows);
  if (columns.length === 0) return shown.flatMap(({ details }) => wrap(details.join(" "), width));
  const rows = shown.map(({ cells }) =>
    cells.map((cell) => (typeof cell === "string" ? cell : paint(cell.style, cell.text))),
  );
  const titles = columns.map((title) => title.toUpperCase());
  const widths = columnWidths([titles, ...rows], width, minWidths);
  const [firstWidth = 0, ...otherWidths] = widths;
  const lines = shown.flatMap(({ details }, index) => {
    const [first = "", ...cells] = rows[index] ?? [];
    const right = [
      ...inColumns(cells, otherWidths),
      ...details
        .flatMap((text) => wrap(text, width - firstWidth - 2 * gap.length))
        .map((line) => gap + line),
    ];
    const left = rows[index - 1]?.[0] === first ? [] : wrap(first, firstWidth);
    return Array.from({ length: Math.max(right.length, left.length) }, (_, row) =>
      `${pad(left[row] ?? "", firstWidth)}${gap}${right[row] ?? ""}`.trimEnd(),
    );
  });
  return [...inColumns(titles, widths).map((line) => paint("strong", line)), ...lines];
}

const icons: Partial<Record<Style, string>> = {
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
  const isList = columns.length === 0;
  const lines: string[] = [];
  let left = maxLength - reservedLength;
  for (const { cells, details } of rows) {
    const texts = [...cells.map(markdownCell), escapeMarkdown(details.join(" "))];
    const line = isList ? `- ${texts.join(" ")}` : `| ${texts.join(" | ")} |`;
    left -= line.length + 1;
    if (left < 0) break;
    lines.push(line);
  }
  const hasHead = !isList && lines.length > 0;
  const head = [`| ${columns.join(" | ")} | |`, `|${" --- |".repeat(columns.length + 1)}`];
  const rest = restSentence(table, lines.length).flatMap((text) => ["", escapeMarkdown(text)]);
  const shown = [...(hasHead ? head : []), ...lines, ...rest];
  if (title === undefined) return shown;
  return [`<details><summary>${title}</summary>`, "", ...shown, "", "</details>"];
}

function markdownCell(cell: string | StyledCell): string {
  if (typeof cell === "string") return escapeMarkdown(cell);
  return `${icons[cell.style] ?? ""}${escapeMarkdown(cell.text)}`;
}

function restSentence({ rows, thing }: DetailTable, shown: number): string[] {
  const hidden = rows.length - shown;
  if (hidden <= 0) return [];
  const things = hidden === 1 ? `${thing} is` : `${thing.replace(/y$/, "ie")}s are`;
  return [
    `${hidden} more ${things} not shown. To get everything, add --output audit.html or --output audit.json.`,
  ];
}
