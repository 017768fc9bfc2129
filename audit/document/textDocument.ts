import {
  type Block,
  cellText,
  type Document,
  hasDetails,
  hiddenRows,
  type Table,
  type Tone,
} from "./document.js";

const colors: Readonly<Record<Tone, string>> = {
  error: "31",
  warning: "33",
  note: "36",
  strong: "1",
  clean: "32",
  muted: "2",
};

/** Adds a color to a text, if there is a tone and the terminal has colors. */
type Paint = (tone: Tone | undefined, text: string) => string;

/**
 * Returns a document for a terminal or a log. Tables without details have no head, and leave out empty cells.
 *
 * @param width of the terminal, in columns. Without it, nothing is wrapped.
 */
export function textDocument({ blocks }: Document, hasColors: boolean, width = Infinity): string {
  const paint: Paint = (tone, text) =>
    hasColors && tone ? `\u001b[${colors[tone]}m${text}\u001b[0m` : text;
  const lines = blocks.flatMap((block) => {
    const shown = textLines(block, paint, width);
    return shown.length === 0 || block.kind === "heading" ? shown : [...shown, ""];
  });
  return lines.join("\n");
}

function textLines(block: Block, paint: Paint, width: number): string[] {
  switch (block.kind) {
    case "heading":
      return [paint("strong", block.text)];
    case "paragraph":
      return wrap(block.text, width).map((line) => paint(block.tone, line));
    case "items":
      return [block.title, ...block.items].flatMap((text) => wrap(text, width));
    case "table":
      return hasDetails(block) ? detailedTable(block, paint, width) : compactTable(block, paint);
  }
}

const gap = "  ";

/** A longer first cell moves only its own row. */
const maxFirstWidth = 40;

function compactTable({ rows }: Table, paint: Paint): string[] {
  // Not Math.max of them all: more than 125,000 arguments overflow the stack.
  const firstWidth = rows.reduce(
    (width, { cells: [first = ""] }) => Math.max(width, Math.min(maxFirstWidth, first.length)),
    0,
  );
  return rows.map(({ cells, tone }) => {
    const [first = "", ...others] = cells.map(cellText);
    const last = others.pop() ?? "";
    const shown = [first === "" ? "" : first.padEnd(firstWidth), ...others].filter(Boolean);
    return [...shown, paint(tone, last)].join(gap);
  });
}

const maxDetailRows = 100;

/** A first cell that equals the one above is shown only once. */
function detailedTable(table: Table, paint: Paint, width: number): string[] {
  const shown = table.rows
    .slice(0, maxDetailRows)
    .map(({ cells, ...row }) => ({ ...row, cells: cells.map(cellText) }));
  const head = table.columns.map((title) => title.toUpperCase());
  const widths = columnWidths([head, ...shown.map(({ cells }) => cells)], width);
  const indent = " ".repeat((widths[0] ?? 0) + 2 * gap.length);
  const lines = shown.flatMap(({ cells, details = [], tone }, index) => {
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
    ...hiddenRows(table, shown.length).flatMap((text) => ["", ...wrap(text, width)]),
  ];
}

/** Returns one row of cells. It has as many lines as its highest cell. */
function rowLines(
  cells: readonly string[],
  widths: readonly number[],
  paintLast = (text: string) => text,
): string[] {
  const columns = cells.map((cell, column) => wrap(cell, widths[column] ?? 0));
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) => {
    const texts = columns.map((lines) => lines[row] ?? "");
    const last = texts.pop() ?? "";
    const padded = texts.map((text, column) => text.padEnd(widths[column] ?? 0) + gap);
    return (padded.join("") + (last === "" ? "" : paintLast(last))).trimEnd();
  });
}

/** Longer texts continue on the next line. */
const maxColumnWidth = 32;

/**
 * Returns the widths of the columns of a table that is at most `width` wide. While the table is too wide, the
 * wider one of the first two columns becomes narrower.
 */
function columnWidths(rows: readonly (readonly string[])[], width: number): number[] {
  const [head = []] = rows;
  const widths = head.map((_, column) =>
    Math.min(maxColumnWidth, Math.max(...rows.map((cells) => cells[column]?.length ?? 0))),
  );
  const total = widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1));
  for (let excess = total - width; excess > 0; excess--) {
    const [first = 0, second = 0] = widths;
    widths[first >= second ? 0 : 1] = Math.max(first, second) - 1;
  }
  return widths;
}

/** Breaks a text into lines at blanks, and within a word that is longer than a line. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ").flatMap((each) => breakWord(each, width))) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function breakWord(word: string, width: number): string[] {
  if (word.length <= width) return [word];
  // Two surrogates are one character.
  const first = word.slice(0, width).replace(/(?<=.)[\ud800-\udbff]$/, "");
  return [first, ...breakWord(word.slice(first.length), width)];
}
