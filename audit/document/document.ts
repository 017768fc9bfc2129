/*
 * What a command reports to people, before it has a form: headings, paragraphs, tables and lists. Texts are plain.
 * Whoever makes a document passes text of the service or the user through displayText.
 */

export interface Document {
  /** Only for documents that stand beside others, such as Markdown in a pull request. */
  readonly title: string;
  readonly blocks: readonly Block[];
}

export type Block = { readonly kind: "heading"; readonly text: string } | Paragraph | Items | Table;

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
  readonly rows: readonly Row[];
}

export interface Row {
  /** One for each column. */
  readonly cells: readonly string[];
  /** The tone of the last cell. */
  readonly tone?: Tone;
}

export type Tone = "error" | "warning" | "note" | "strong" | "clean" | "muted";
