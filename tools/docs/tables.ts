import { format, resolveConfig } from "prettier";

/**
 * Returns a document with new rows in the table that has these column heads.
 *
 * @param rows the cells as Markdown. A `|` in them is escaped.
 */
export async function withTable(
  document: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<string> {
  const table = [heads, heads.map(() => "---"), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`,
  );
  const present = new RegExp(`^\\| ${heads.join(" +\\| ")} +\\|\n(\\|.*\n)*`, "m");
  if (!present.test(document)) {
    throw new Error(`The document has no table with the columns ${heads.join(", ")}.`);
  }
  const config = { ...(await resolveConfig(__filename)), parser: "markdown" };
  const formatted = await format(table.join(""), config);
  return document.replace(present, () => formatted);
}
