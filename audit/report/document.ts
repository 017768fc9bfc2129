/*
 * What a command reports to people, before it has a form: headings, paragraphs, tables and lists. Texts are plain.
 * Whoever makes a document passes text of the service or the user through displayText.
 */
import { displayText } from "../../provider/errors/displayText.js";
import {
  type DetailTable,
  detailLines,
  markdownDetails,
  maxTextRows,
  type Row,
} from "./detailTable.js";
import { escapeMarkdown, fitting } from "./markdownText.js";
import { gap, pad, type Paint, painter, textWidth, type Tone, wrap } from "./textLayout.js";

export type Block =
  | { readonly kind: "heading"; readonly text: string }
  | Paragraph
  | Items
  | { readonly kind: "table"; readonly columns: readonly string[]; readonly rows: readonly Row[] }
  | DetailTable;

export interface Paragraph {
  readonly kind: "paragraph";
  readonly text: string;
  readonly tone?: Tone;
}

export interface Items {
  readonly kind: "items";
  readonly title: string;
  readonly items: readonly string[];
}

export interface Document {
  /** Only for documents that stand beside others, such as Markdown in a pull request. */
  readonly title: string;
  readonly blocks: readonly Block[];
}

/**
 * Returns a document for a terminal or a log. Tables without details have no head, and leave out empty cells.
 *
 * @param width of the terminal, in columns. Without it, nothing is wrapped.
 */
export function textDocument({ blocks }: Document, hasColors: boolean, width = Infinity): string {
  const paint = painter(hasColors);
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
      return [block.title, ...limited(block.items, maxTextRows)].flatMap((text) =>
        wrap(text, width),
      );
    case "table":
      return tableLines(block.rows, paint);
    case "details":
      return detailLines(block, paint, width);
  }
}

/** A longer first cell does not move the others. */
const maxFirstWidth = 40;

function tableLines(rows: readonly Row[], paint: Paint): string[] {
  const widths = rows.map(({ cells: [first = ""] }) => textWidth(first));
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
  const sections = [`### ${escapeMarkdown(title)}\n`];
  let left = maxMarkdownLength;
  for (const block of blocks) {
    const text = markdownLines(block, left * shareOfTable).join("\n");
    if (text === "") continue;
    sections.push(`${text}\n`);
    left -= text.length + 2;
  }
  return sections.join("\n");
}

function markdownLines(block: Block, maxLength: number): string[] {
  switch (block.kind) {
    case "heading":
      return [`#### ${escapeMarkdown(block.text)}`];
    case "paragraph":
      return [escapeMarkdown(displayText(block.text, maxParagraphLength))];
    case "items":
      return [escapeMarkdown(block.title), "", ...markdownItems(block.items, maxLength)];
    case "table":
      return [block.columns, block.columns.map(() => "---")]
        .concat(block.rows.map(({ cells }) => cells.map(escapeMarkdown)))
        .map((cells) => `| ${cells.join(" | ")} |`);
    case "details":
      return markdownDetails(block, maxLength);
  }
}

function markdownItems(items: readonly string[], maxLength: number): string[] {
  const lines = items.map((item) => `- ${escapeMarkdown(item)}`);
  return limited(lines, fitting(lines, maxLength).length, "- ");
}

/** Returns the first texts, and how many more there are. */
function limited(texts: readonly string[], max: number, bullet = ""): string[] {
  const hidden = texts.length - max;
  return [...texts.slice(0, max), ...(hidden > 0 ? [`${bullet}${hidden} more`] : [])];
}
