/*
 * What a command reports to people, before it has a form: headings, paragraphs, tables and lists. Texts are plain.
 * Whoever makes a document passes text of the service or the user through displayText.
 */
import stringWidth from "fast-string-width";
import { displayText } from "../../provider/errors/displayText.js";
import { escapeMarkdown } from "./escapeMarkdown.js";
import { detailLines, type DetailTable, markdownDetails } from "./detailTable.js";
import { gap, joinSections, pad, type Paint, painter, type Style, wrap } from "./tableLayout.js";

/** What a text means to the reader. A terminal shows it with a color. */
export type Tone = Style;

export type Block =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string; readonly tone?: Tone }
  | { readonly kind: "items"; readonly title: string; readonly items: readonly string[] }
  | { readonly kind: "table"; readonly columns: readonly string[]; readonly rows: readonly Row[] }
  | DetailTable;

export interface Row {
  /** One for each column. */
  readonly cells: readonly string[];
  /** Of the last cell. */
  readonly tone?: Tone;
}

export interface Document {
  /** Only for documents that stand beside others, such as Markdown in a pull request. */
  readonly title: string;
  readonly blocks: readonly Block[];
}

/**
 * Returns a document for a terminal or a log. Tables have no head, and leave out empty cells.
 *
 * @param width of the terminal, in columns. Without it, nothing is wrapped.
 */
export function textDocument({ blocks }: Document, hasColors: boolean, width?: number): string {
  const paint = painter(hasColors);
  const sections: string[][] = [];
  let heading: string[] = [];
  for (const block of blocks) {
    if (block.kind === "heading") heading = [paint("strong", block.text)];
    else {
      sections.push([...heading, ...textLines(block, paint, width)]);
      heading = [];
    }
  }
  return joinSections(sections);
}

type Content = Exclude<Block, { kind: "heading" }>;

function textLines(block: Content, paint: Paint, width?: number): string[] {
  switch (block.kind) {
    case "paragraph":
      return (width === undefined ? [block.text] : wrap(block.text, width)).map((line) =>
        paint(block.tone, line),
      );
    case "items":
      return [block.title, ...block.items];
    case "table":
      return tableLines(block.rows, paint);
    case "details":
      return detailLines(block, paint, width);
  }
}

/** A longer first cell does not move the others. */
const maxFirstWidth = 40;

function tableLines(rows: readonly Row[], paint: Paint): string[] {
  const widths = rows.map(({ cells: [first = ""] }) => stringWidth(first));
  const firstWidth = Math.max(0, ...widths.filter((width) => width <= maxFirstWidth));
  return rows.map(({ cells, tone }) => {
    const [first = "", ...others] = cells;
    const last = others.pop() ?? "";
    const shown = [first === "" ? "" : pad(first, firstWidth), ...others].filter(Boolean);
    return [...shown, paint(tone, last)].join(gap);
  });
}

/** A comment on GitHub may have 65,536 characters. */
const maxMarkdownLength = 64_000;
/** An escape makes at most five characters of one. */
const maxParagraphLength = 2_000;
/** Of the space that is left, so that the following tables have some too. */
const shareOfTable = 0.6;

/** Returns a document as Markdown. Its texts create no table cell, HTML, link or mention. */
export function markdownDocument({ title, blocks }: Document): string {
  const sections = [[`### ${escapeMarkdown(title)}`]];
  let left = maxMarkdownLength;
  for (const block of blocks) {
    const lines = markdownLines(block, left * shareOfTable);
    sections.push(lines);
    left -= lines.reduce((length, line) => length + line.length + 1, 1);
  }
  return joinSections(sections);
}

function markdownLines(block: Block, maxLength: number): string[] {
  switch (block.kind) {
    case "heading":
      return [`#### ${escapeMarkdown(block.text)}`];
    case "paragraph":
      return [escapeMarkdown(displayText(block.text, maxParagraphLength))];
    case "items":
      return [
        escapeMarkdown(block.title),
        "",
        ...block.items.map((item) => `- ${escapeMarkdown(item)}`),
      ];
    case "table":
      return [block.columns, block.columns.map(() => "---")]
        .concat(block.rows.map(({ cells }) => cells.map(escapeMarkdown)))
        .map((cells) => `| ${cells.join(" | ")} |`);
    case "details":
      return markdownDetails(block, maxLength);
  }
}
