import type * as Levenshtein from "fastest-levenshtein";

/**
 * Characters that move the cursor, change the reading direction or are invisible. And each second sign of `##`
 * and `::`, with which the commands of CI runners begin: `##[group]`, `##vso[task.complete]`, `::debug::`.
 */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?<=#)#|(?<=:):/gu;

const shortEscapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Makes text of the service or the user safe to show in a message: on one line, at most `maxLength` long, and
 * without commands of CI runners. Escapes characters and removes none, because the signs beside a removed one
 * could form a command.
 */
export function displayText(text: string, maxLength = 80): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return cut.replace(unsafe, (character) => shortEscapes[character] ?? escapeOf(character));
}

/** Returns for instance `\u0085`, and above U+FFFF `\u{e0041}`. */
function escapeOf(character: string): string {
  const hex = (character.codePointAt(0) as number).toString(16);
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
}

/**
 * Returns a value as JSON that is safe to show. Escapes characters that move the cursor, change the reading
 * direction or are invisible, and each second sign of `##`, with which commands of CI runners begin.
 *
 * @param indent 0 writes one line, which is smaller. Default 2.
 */
export function displayJson(value: unknown, indent = 2): string {
  const unsafe = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]|(?<=#)#/gu;
  return JSON.stringify(value, undefined, indent).replace(unsafe, (character) =>
    // Above U+FFFF, a character is two units.
    character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/** Lists the first texts, each as {@link displayText}, and says how many more there are. */
export function displayList(texts: readonly string[], maxTexts = 20, quote = ""): string {
  const shown = texts.slice(0, maxTexts).map((text) => quote + displayText(text) + quote);
  const hidden = texts.length - shown.length;
  return shown.join(", ") + (hidden > 0 ? ` and ${hidden} more` : "");
}

const maxExisting = 10;

/** Returns a sentence with the text that is similar to a mistaken one, if there is one, and with all if they are few. */
export function didYouMean(mistaken: string, texts: readonly string[]): string {
  const different = [...new Set(texts)];
  const similar = similarTo(mistaken, different);
  const existing = `These exist: ${displayList(different, maxExisting, '"')}.`;
  if (similar === undefined) return existing;
  const question = `Did you mean "${displayText(similar)}"?`;
  const isEnough = different.length === 1 || different.length > maxExisting;
  return isEnough ? question : `${question} ${existing}`;
}

/** Names all known words after a mistaken one, and the one that is similar. */
export function nearest(mistaken: string, known: readonly string[], noun = "keys"): string {
  const similar = known.length > 1 ? similarTo(mistaken, known) : undefined;
  const question = similar === undefined ? "" : ` Did you mean ${similar}?`;
  return `${displayText(mistaken)}.${question} The ${noun} are ${known.join(", ")}`;
}

/** Returns the text of which at most half of the characters differ, apart from upper and lower case. */
export function similarTo(mistaken: string, texts: readonly string[]): string | undefined {
  const { closest, distance } =
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only for a mistake
    require("fastest-levenshtein") as typeof Levenshtein;
  const similar = closest(mistaken, texts);
  const length = Math.max(mistaken.length, similar.length);
  return distance(mistaken.toLowerCase(), similar.toLowerCase()) <= length / 2
    ? similar
    : undefined;
}
