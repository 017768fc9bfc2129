/** Marks that stand on the character before them. */
const mark = /\p{Mn}|\p{Me}/u;
/** Chinese, Japanese and Korean characters, their punctuation, and pictures. */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3001-\u303e\uff01-\uff60]/u;

/** Returns how many columns of a terminal a text takes. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (!mark.test(character)) width += wide.test(character) ? 2 : 1;
  }
  return width;
}

/** Fills a text with spaces. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** Breaks a text into parts that are at most so wide. */
export function partsOf(text: string, width: number): string[] {
  let part = "";
  const parts = [];
  for (const character of text) {
    if (part !== "" && textWidth(part + character) > width) {
      parts.push(part);
      part = "";
    }
    part += character;
  }
  return [...parts, part];
}
