import type { Block, Document, Table } from "./textDocument.js";

/** A comment on GitHub may have 65,536 characters: https://github.com/orgs/community/discussions/27190 */
const maxDocumentLength = 64_000;
/** A table or list takes at most this share of the characters that are left. The rest is for those after it. */
const shareOfTable = 0.6;

/** Returns a document as Markdown. Its texts create no table cell, HTML, link or mention. */
export function markdownDocument({ title, blocks }: Document): string {
  const sections = [`### ${escapeMarkdown(title)}\n`];
  let left = maxDocumentLength;
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
      return [escapeMarkdown(block.text)];
    case "items":
      return [escapeMarkdown(block.title), "", ...markdownItems(block.items, maxLength)];
    case "table":
      return markdownTable(block, maxLength);
  }
}

function markdownItems(items: readonly string[], maxLength: number): string[] {
  const lines = items.map((item) => `- ${escapeMarkdown(item)}`);
  const shown = linesWithin(lines, maxLength);
  const hidden = items.length - shown.length;
  return hidden > 0 ? [...shown, `- ${hidden} more`] : shown;
}

/** Space for the lines around the rows of a table. */
const reservedLength = 500;

function markdownTable(table: Table, maxLength: number): string[] {
  const { title, thing, columns, codeColumn, rows } = table;
  if (rows.length === 0) return [];
  const lineOf = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const cellText = (cell: string, index: number) =>
    columns[index] === codeColumn ? codeSpan(cell) : escapeMarkdown(cell);
  const lines = rows.map((cells) => lineOf(cells.map(cellText)));
  const shown = linesWithin(lines, maxLength - reservedLength);
  const head = shown.length > 0 ? [lineOf(columns), lineOf(columns.map(() => "---"))] : [];
  const text = [...head, ...shown, ...hiddenRows(rows.length - shown.length, thing)];
  if (title === undefined) return text;
  return [`<details><summary>${title}</summary>`, "", ...text, "", "</details>"];
}

function hiddenRows(count: number, thing: string): string[] {
  if (count === 0) return [];
  const rows = `${count} more ${thing}${count === 1 ? " is" : "s are"} not shown`;
  return ["", escapeMarkdown(`${rows}. To get everything, add --output report.json.`)];
}

/** In a table, a vertical bar ends the cell also in a code span. More backticks than in the text end the span. */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 || text.trim() !== text ? " " : "";
  return `${fence}${space}${text.replaceAll("|", "\\|")}${space}${fence}`;
}

function linesWithin(lines: readonly string[], maxLength: number): string[] {
  const shown: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > maxLength) break;
    shown.push(line);
  }
  return shown;
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
    .replace(/www\./gi, "www\u200b.")
    .replace(/GH-(?=\d)/gi, "$&\u200b");
}
