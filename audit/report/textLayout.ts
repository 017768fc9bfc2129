/** The tones of a text, each with the code of its color in a terminal. */
const colors = {
  error: "31",
  warning: "33",
  note: "36",
  strong: "1",
  clean: "32",
  muted: "2",
} as const;

export type Tone = keyof typeof colors;

/** Adds a color to a text, if there is a tone and the terminal has colors. */
export type Paint = (tone: Tone | undefined, text: string) => string;

export function painter(hasColors: boolean): Paint {
  return (tone, text) => (hasColors && tone ? `\u001b[${colors[tone]}m${text}\u001b[0m` : text);
}

/** The space between two columns. */
export const gap = "  ";

/** Marks that stand on the character before them, and characters that nobody sees. */
const zeroWidth = /[\p{M}\p{Cf}\u1160-\u11ff]/gu;
/** Chinese, Japanese and Korean characters, and signs and pictures of the same width. */
const doubleWidth =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;
/** Two regional indicators are one flag. */
const shownCharacter = /\p{RI}{2}|./gsu;

/** Returns how many columns of a terminal a text takes. */
export function textWidth(text: string): number {
  const characters = text.replace(zeroWidth, "").match(shownCharacter) ?? [];
  return characters.reduce((width, each) => width + (doubleWidth.test(each) ? 2 : 1), 0);
}

const graphemes = new Intl.Segmenter("en");

/** Breaks a text into lines at blanks, and within a word that is longer than a line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const [index, word] of text.split(" ").entries()) {
    const longer = index === 0 ? word : `${line} ${word}`;
    if (textWidth(longer) <= width) {
      line = longer;
      continue;
    }
    if (index > 0) lines.push(line);
    line = "";
    for (const { segment } of graphemes.segment(word)) {
      if (line !== "" && textWidth(line + segment) > width) {
        lines.push(line);
        line = "";
      }
      line += segment;
    }
  }
  return [...lines, line];
}

export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** Longer texts continue on the next line. */
const maxColumnWidth = 32;

/**
 * Returns the widths of the columns of a table that is at most `width` wide. While the table is too wide, the
 * wider one of the first two columns becomes narrower.
 */
export function columnWidths(rows: readonly (readonly string[])[], width: number): number[] {
  const [head = []] = rows;
  const widths = head.map((_, column) =>
    Math.min(maxColumnWidth, Math.max(...rows.map((cells) => textWidth(cells[column] ?? "")))),
  );
  const total = widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1));
  for (let excess = total - width; excess > 0; excess--) {
    const [first = 0, second = 0] = widths;
    widths[first >= second ? 0 : 1] = Math.max(first, second) - 1;
  }
  return widths;
}
