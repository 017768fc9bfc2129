const maxDisplayed = 20;

/** Characters that move the cursor, change the reading direction, or are invisible. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Makes text of the service or the user safe to show in a message: on one line, at most `maxLength` long. */
export function displayText(text: string, maxLength = 80): string {
  if (text.length <= maxLength && !/[^ -~]/.test(text)) return text; // the usual case, and quick
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return cut.replace(unsafe, (character) => shortEscapes[character] ?? escapeOf(character));
}

const shortEscapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Returns for instance `\u0085`, and above U+FFFF `\u{e0041}`. */
function escapeOf(character: string): string {
  const hex = (character.codePointAt(0) as number).toString(16);
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
}

/** Lists the first 20 texts, each as {@link displayText}, and says how many more there are. */
export function displayList(texts: readonly string[]): string {
  const hidden = texts.length - maxDisplayed;
  return (
    texts
      .slice(0, maxDisplayed)
      .map((text) => displayText(text))
      .join(", ") + (hidden > 0 ? ` and ${hidden} more` : "")
  );
}
