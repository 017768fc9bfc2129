const maxDisplayed = 20;

/** Characters that move the cursor, change the reading direction, or are invisible. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * The second `#` in what Azure Pipelines, GitHub and TeamCity read as a command, wherever it is in a line of
 * a log. Their comparisons ignore invisible characters.
 */
const commandSign =
  /(?<=#\p{DI}*)#(?=\p{DI}*(?:v\p{DI}*s\p{DI}*o\p{DI}*|t\p{DI}*e\p{DI}*a\p{DI}*m\p{DI}*c\p{DI}*i\p{DI}*t\p{DI}*y\p{DI}*)?\[)/giu;

/** Makes text of the service or the user safe to show in a message: on one line, at most `maxLength` long. */
export function displayText(text: string, maxLength = 80): string {
  if (text.length <= maxLength && !/[^ -"$-~]/.test(text)) return text; // the usual case, and quick
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return withoutCommandSigns(cut).replace(
    unsafe,
    (character) => shortEscapes[character] ?? escapeOf(character),
  );
}

/** Escapes the characters without which a runner reads no command: `##[group]` becomes `#\u0023[group]`. */
export function withoutCommandSigns(text: string): string {
  return text.replace(commandSign, "\\u0023");
}

/** Escapes the start of lines that GitHub reads as a command: `::debug::` becomes `:\u003adebug::`. */
export function displayLines(lines: string): string {
  // A line that starts with IPv6 addresses is none.
  return lines.replace(
    /^([\s\p{DI}]*:\p{DI}*):(?=(?![\da-f]{1,4}(?:[\s,]|:(?!:))).*:\p{DI}*:)/gimu,
    "$1\\u003a",
  );
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
