import { type Block, type DetailTable, type Document, hiddenRows, type Table } from "./document.js";

/** A comment on GitHub may have 65,536 characters. */
const maxDocumentLength = 64_000;
/** A table or list takes at most this share of the characters that are left. The rest is for those after it. */
const shareOfTable = 0.6;

/** Returns a document as Markdown. Its texts create no table cell, HTML, link or mention. */
export function markdownDocument({ title, blocks }: Document): string {
  const sections = [`### ${escapeMarkdown(title)}\n`];
  let left = maxDocumentLength;
  for (const block of blocks) {
    const text = linesOf(block, left * shareOfTable).join("\n");
    if (text === "") continue;
    sections.push(`${text}\n`);
    left -= text.length + 2;
  }
  return sections.join("\n");
}

function linesOf(block: Block, maxLength: number): string[] {
  switch (block.kind) {
    case "heading":
      return [`#### ${escapeMarkdown(block.text)}`];
    case "paragraph":
      return [escapeMarkdown(block.text)];
    case "items":
      return [escapeMarkdown(block.title), "", ...itemLines(block.items, maxLength)];
    case "table":
      return tableLines(
        block,
        block.columns,
        block.rows.map(({ cells }) => cells),
        maxLength,
      );
    case "details":
      return detailLines(block, maxLength);
  }
}

function itemLines(items: readonly string[], maxLength: number): string[] {
  const lines = fitting(
    items.map((item) => `- ${escapeMarkdown(item)}`),
    maxLength,
  );
  const hidden = items.length - lines.length;
  return hidden > 0 ? [...lines, `- ${hidden} more`] : lines;
}

/** Space for the lines around the rows of a table. */
const reservedLength = 500;

function detailLines(table: DetailTable, maxLength: number): string[] {
  const { title, columns, rows } = table;
  if (rows.length === 0) return [];
  const cells = rows.map(({ cells, details }) => [...cells, details.join(" ")]);
  const shown = tableLines(table, [...columns, ""], cells, maxLength);
  if (title === undefined) return shown;
  return [`<details><summary>${title}</summary>`, "", ...shown, "", "</details>"];
}

/** Returns the first rows, and how many more there are. */
function tableLines(
  table: Table | DetailTable,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  maxLength: number,
): string[] {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const texts = rows.map((cells) => lineOf(cells.map(escapeMarkdown)));
  const lines = fitting(texts, maxLength - reservedLength);
  const head = [lineOf(columns), lineOf(columns.map(() => "---"))];
  const rest = hiddenRows(table, lines.length).flatMap((text) => ["", escapeMarkdown(text)]);
  return [...(lines.length > 0 ? head : []), ...lines, ...rest];
}

/** Returns the first lines that together are at most as long as `maxLength`. */
function fitting(lines: readonly string[], maxLength: number): string[] {
  let left = maxLength;
  return lines.filter((line) => (left -= line.length + 1) >= 0);
}

/**
 * Escapes text for Markdown. GitHub finds mentions, references and links in the unescaped text, so a
 * zero-width space separates their characters.
 */
function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/[\\`*_{}[\]#+!|~$^]/g, "\\$&")
    .replace(/#/g, "#\u200b")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/@/g, "@\u200b")
    .replace(/:\/\//g, ":\u200b//")
    .replace(/www\./gi, "www\u200b.");
}
