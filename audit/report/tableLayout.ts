import stringWidth from "fast-string-width";
import { wrapAnsi } from "fast-wrap-ansi";

/** The space between two columns. */
export const gap = "  ";

const styles = {
  error: "31",
  warning: "33",
  note: "36",
  strong: "1",
  clean: "32",
  muted: "2",
} as const;

export type Style = keyof typeof styles;

/** Adds a style to a text, if there is one and the terminal has colors. */
export type Paint = (style: Style | undefined, text: string) => string;

export function painter(hasColors: boolean): Paint {
  return (style, text) => (hasColors && style ? `\u001b[${styles[style]}m${text}\u001b[0m` : text);
}

/** Longer texts continue on the next line. */
const maxColumnWidth = 32;

/**
 * Returns the widths of the columns of a table that is at most `width` wide. While the table is too
 * wide, its widest column becomes narrower.
 *
 * @param minWidths how narrow each column may become. A column without a number stays as it is.
 */
export function columnWidths(
  rows: readonly (readonly string[])[],
  width: number,
  minWidths: readonly number[],
): number[] {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.min(maxColumnWidth, Math.max(...rows.map((cells) => stringWidth(cells[column] ?? "")))),
  );
  const total = () => widths.reduce((sum, value) => sum + value, gap.length * (columns - 1));
  while (total() > width) {
    const shrinkable = widths.map((value, column) =>
      value > (minWidths[column] ?? Infinity) ? value : 0,
    );
    const widest = Math.max(...shrinkable);
    if (widest === 0) break;
    widths[shrinkable.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** Returns one row of cells. It has as many lines as its highest cell. */
export function inColumns(cells: readonly string[], widths: readonly number[]): string[] {
  const columns = cells.map((cell, column) => wrap(cell, widths[column] ?? 0));
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) =>
    columns
      .map((lines, column) => pad(lines[row] ?? "", widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

/** Breaks a text into lines between words, and within a word that is longer than a line. */
export function wrap(text: string, width: number): string[] {
  return wrapAnsi(text, width, { hard: true }).split("\n");
}

export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}

/** Returns sections of lines as one text, with a blank line between them. Empty sections are left out. */
export function joinSections(sections: readonly (readonly string[])[]): string {
  const texts = sections.filter(({ length }) => length > 0).map((lines) => lines.join("\n"));
  return `${texts.join("\n\n")}\n`;
}
