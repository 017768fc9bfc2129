import { displayText } from "../../provider/errors/displayText.js";
import { escapeMarkdown } from "./escapeMarkdown.js";
import {
  columnWidths,
  gap,
  inColumns,
  joinSections,
  pad,
  type Paint,
  painter,
  type Style,
  wrap,
} from "./tableLayout.js";

/** A report, which can be shown as text or as Markdown. All its texts are safe to show. */
export interface Document {
  readonly title: string;
  /** The result. The last lines of a text, where a terminal shows them, and the first ones in Markdown. */
  readonly summary: Styled;
  /** What was read, for readers of Markdown who did not run the command. */
  readonly source?: string;
  readonly tables: readonly Table[];
  /** Says where everything is that a table leaves out. */
  readonly elsewhere: string;
}

interface Styled {
  readonly text: string;
  readonly style?: Style;
}

/** A table without rows is not shown. Rows without cells are a list. */
export interface Table {
  /** Markdown folds a table with a title. */
  readonly title?: string;
  /** What a row is, for the sentence that counts rows that are not shown. */
  readonly thing: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export interface Row {
  /** Text shows a first cell that equals the one above only once. */
  readonly cells: readonly Cell[];
  /** Sentences about the row: below it as text, and its last cell in Markdown. */
  readonly details: readonly string[];
}

type Cell = string | Styled;

/** How text is shown. */
export interface TextOptions {
  /** Width of the terminal, in columns. */
  readonly width: number;
  readonly hasColors: boolean;
}

const minWidth = 80;
const maxWidth = 120;
/** With these widths, a table with the names of the house rules fits 80 columns. */
const minWidths = [20, 13, 24];
const maxTextRows = 100;

/** Returns a document as text for a terminal of 80 to 120 columns. Of each table, it has the first 100 rows. */
export function documentText(document: Document, options: TextOptions): string {
  const { summary, tables, elsewhere } = document;
  const width = Math.min(Math.max(options.width, minWidth), maxWidth);
  const paint = painter(options.hasColors);
  const sections = tables.flatMap((table) => {
    if (table.rows.length === 0) return [];
    const heading = table.title === undefined ? [] : [paint("strong", table.title.toUpperCase())];
    const lines = tableLines(table, table.rows.slice(0, maxTextRows), width, paint);
    const rest = restSentence(table, maxTextRows, elsewhere);
    return [[...heading, ...lines], ...rest.map((sentence) => wrap(sentence, width))];
  });
  const last = wrap(summary.text, width).map((line) => paint(summary.style, line));
  return joinSections([...sections, last]);
}

function tableLines(table: Table, shown: readonly Row[], width: number, paint: Paint): string[] {
  if (table.columns.length === 0) {
    return shown.flatMap(({ details }) => wrap(details.join(" "), width));
  }
  const rows = shown.map(({ cells }) => cells.map((cell) => textOf(cell, paint)));
  const titles = table.columns.map((title) => title.toUpperCase());
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

function textOf(cell: Cell, paint: Paint): string {
  return typeof cell === "string" ? cell : paint(cell.style, cell.text);
}

const icons: Partial<Record<Style, string>> = {
  error: "❌ ",
  warning: "⚠️ ",
  note: "ℹ️ ",
  muted: "☑️ ",
};
/** A comment on GitHub may have 65,536 characters. */
const maxMarkdownLength = 64_000;
const maxSummaryLength = 10_000;
/** Of the space that is left, so that the following tables have some too. */
const shareOfTable = 0.6;
/** Space for the lines around the rows of a table. */
const reservedLength = 500;

/** Returns a document as Markdown that fits a comment. Its texts create no cell, HTML, link or mention. */
export function documentMarkdown(document: Document): string {
  const { title, summary, source, tables, elsewhere } = document;
  // An escape makes at most five characters of one.
  const about = displayText([summary.text, source ?? []].flat().join(" "), maxSummaryLength / 5);
  const parts = [`### ${title}`, escapeMarkdown(about)];
  for (const table of tables) {
    const left = parts.reduce((space, part) => space - part.length - 2, maxMarkdownLength);
    if (table.rows.length > 0) parts.push(...markdownTable(table, elsewhere, left * shareOfTable));
  }
  return `${parts.join("\n\n")}\n`;
}

function markdownTable(table: Table, elsewhere: string, maxLength: number): string[] {
  const { title, columns, rows } = table;
  const isList = columns.length === 0;
  const head = [`| ${columns.join(" | ")} | |`, `|${" --- |".repeat(columns.length + 1)}`];
  const lines: string[] = [];
  let left = maxLength - reservedLength;
  for (const { cells, details } of rows) {
    const texts = [...cells, details.join(" ")].map(markdownCell);
    const line = isList ? `- ${texts.join(" ")}` : `| ${texts.join(" | ")} |`;
    left -= line.length + 1;
    if (left < 0) break;
    lines.push(line);
  }
  const parts = [
    ...(lines.length === 0 ? [] : [[...(isList ? [] : head), ...lines].join("\n")]),
    ...restSentence(table, lines.length, elsewhere).map(escapeMarkdown),
  ];
  if (title === undefined) return parts;
  return [`<details><summary>${title}</summary>`, ...parts, "</details>"];
}

function markdownCell(cell: Cell): string {
  if (typeof cell === "string") return escapeMarkdown(cell);
  return `${icons[cell.style ?? "strong"] ?? ""}${escapeMarkdown(cell.text)}`;
}

function restSentence({ rows, thing }: Table, shown: number, elsewhere: string): string[] {
  const hidden = rows.length - shown;
  if (hidden <= 0) return [];
  const things = hidden === 1 ? `${thing} is` : `${thing.replace(/y$/, "ie")}s are`;
  return [`${hidden} more ${things} not shown. ${elsewhere}`];
}
