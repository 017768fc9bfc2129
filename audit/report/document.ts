/*
 * What a command reports to people, before it has a form: headings, paragraphs, tables and lists. Texts are plain.
 * Whoever makes a document passes text of the service or the user through displayText.
 */
import stringWidth from "fast-string-width";
import { escapeMarkdown } from "./escapeMarkdown.js";
import { gap, joinSections, pad, type Paint, painter } from "./tableLayout.js";

/** What a text means to the reader. A terminal shows it with a color. */
export type Tone = Parameters<Paint>[0];

export type Block =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string; readonly tone?: Tone }
  | { readonly kind: "items"; readonly title: string; readonly items: readonly string[] }
  | { readonly kind: "table"; readonly columns: readonly string[]; readonly rows: readonly Row[] };

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

/** Returns a document for a terminal or a log. Tables have no head, and leave out empty cells. */
export function textDocument({ blocks }: Document, hasColors: boolean): string {
  const paint = painter(hasColors);
  const sections: string[][] = [];
  let heading: string[] = [];
  for (const block of blocks) {
    if (block.kind === "heading") heading = [paint("strong", block.text)];
    else {
      sections.push([...heading, ...textLines(block, paint)]);
      heading = [];
    }
  }
  return joinSections(sections);
}

type Content = Exclude<Block, { kind: "heading" }>;

function textLines(block: Content, paint: Paint): string[] {
  switch (block.kind) {
    case "paragraph":
      return [block.tone === undefined ? block.text : paint(block.tone, block.text)];
    case "items":
      return [block.title, ...block.items];
    case "table":
      return tableLines(block.rows, paint);
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
    return [...shown, tone === undefined ? last : paint(tone, last)].join(gap);
  });
}

/** Returns a document as Markdown. Its texts create no table cell, HTML, link or mention. */
export function markdownDocument({ title, blocks }: Document): string {
  return joinSections([[`### ${escapeMarkdown(title)}`], ...blocks.map(markdownLines)]);
}

function markdownLines(block: Block): string[] {
  switch (block.kind) {
    case "heading":
      return [`#### ${escapeMarkdown(block.text)}`];
    case "paragraph":
      return [escapeMarkdown(block.text)];
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
  }
}
