/*
 * The report of a command for people, as headings, paragraphs, tables and lists with plain texts. The code that makes a
 * document passes text of the service or the user through displayText.
 */

export interface Document {
  /** Only for documents that stand beside others, such as Markdown in a pull request. */
  readonly title: string;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly kind: "heading" | "paragraph"; readonly text: string }
  | { readonly kind: "items"; readonly title: string; readonly items: readonly string[] }
  | Table;

/** Without rows, nothing is shown. */
export interface Table {
  readonly kind: "table";
  /** Markdown folds a table with a title. */
  readonly title?: string;
  /** The noun for one row, such as `change`. The sentence that counts the hidden rows uses it. */
  readonly thing: string;
  readonly columns: readonly string[];
  /** The column that Markdown shows as code: an address in it is no link, and can be copied. */
  readonly codeColumn?: string;
  /** The cells of each row, one for each column. */
  readonly rows: readonly (readonly string[])[];
}

/** Returns a document as text for a terminal or a log. Does not wrap lines, because a terminal does. */
export function textDocument({ blocks }: Document): string {
  const lines = blocks.flatMap((block) => {
    const shown = textLines(block);
    return shown.length === 0 || block.kind === "heading" ? shown : [...shown, ""];
  });
  return lines.join("\n");
}

function textLines(block: Block): string[] {
  switch (block.kind) {
    case "heading":
    case "paragraph":
      return [block.text];
    case "items":
      return [block.title, ...block.items];
    case "table":
      return tableLines(block);
  }
}

const gap = "  ";
/** A longer first cell moves only its own row. */
const maxFirstWidth = 40;
/** The other formats show the whole row. */
const maxRowLength = 200;

function tableLines({ title, rows }: Table): string[] {
  if (rows.length === 0) return [];
  // Not Math.max of them all: more than 125,000 arguments overflow the stack.
  const firstWidth = rows.reduce(
    (width, [first = ""]) => Math.max(width, Math.min(maxFirstWidth, first.length)),
    0,
  );
  const lines = rows.map(([first = "", ...others]) => {
    const last = others.pop() ?? "";
    const before = [first === "" ? "" : first.padEnd(firstWidth), ...others].filter(Boolean);
    const start = before.map((cell) => cell + gap).join("");
    return start + cut(last, maxRowLength - start.length);
  });
  return title === undefined ? lines : [`${title}:`, ...lines];
}

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // Two surrogates are one character.
  return `${text.slice(0, Math.max(0, maxLength)).replace(/[\ud800-\udbff]$/, "")}…`;
}
