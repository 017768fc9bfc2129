const maxListed = 20;

/** Characters that move the cursor, change the reading direction, or are not seen at all. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text of the service or the user as it may stand in a message: one line, and not endless. */
export function shown(text: string, maxLength = 80): string {
  if (text.length <= maxLength && !/[^ -~]/.test(text)) return text; // nearly all, and quick
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return cut.replace(unsafe, (character) => shortEscapes[character] ?? escapeOf(character));
}

const shortEscapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** `\u0085`, and beyond U+FFFF `\u{e0041}`. */
function escapeOf(character: string): string {
  const hex = (character.codePointAt(0) as number).toString(16);
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
}

/** The first of many texts, each as {@link shown}, and how many more there are. */
export function listed(texts: readonly string[]): string {
  const hidden = texts.length - maxListed;
  return (
    texts
      .slice(0, maxListed)
      .map((text) => shown(text))
      .join(", ") + (hidden > 0 ? ` and ${hidden} more` : "")
  );
}
