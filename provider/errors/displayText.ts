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

/** Lists the first texts, each as {@link displayText}, and says how many more there are. */
export function displayList(texts: readonly string[], maxTexts = 20, quote = ""): string {
  const shown = texts.slice(0, maxTexts).map((text) => quote + displayText(text) + quote);
  const hidden = texts.length - shown.length;
  return shown.join(", ") + (hidden > 0 ? ` and ${hidden} more` : "");
}

const maxExisting = 10;

/**
 * Returns a sentence with the most similar of some texts, unless none is similar, and with all of them if there
 * are at most ten.
 */
export function didYouMean(mistaken: string, texts: readonly string[]): string {
  const different = [...new Set(texts)];
  const similar = mostSimilar(mistaken, different);
  const existing = `These exist: ${displayList(different, maxExisting, '"')}.`;
  if (!isSimilar(mistaken, similar)) return existing;
  const question = `Did you mean "${displayText(similar)}"?`;
  const isEnough = different.length === 1 || different.length > maxExisting;
  return isEnough ? question : `${question} ${existing}`;
}

/** Names the known word that is most similar to a mistaken one, and all of them. */
export function nearest(mistaken: string, known: readonly string[], noun = "keys"): string {
  const question = known.length > 1 ? `. Did you mean ${mostSimilar(mistaken, known)}?` : ".";
  return `${displayText(mistaken)}${question} The ${noun} are ${known.join(", ")}`;
}

/** Returns the text that is most similar to a mistaken one. */
export function mostSimilar(mistaken: string, texts: readonly string[]): string {
  return levenshtein().closest(mistaken, texts);
}

/** Whether at most half of the characters differ, apart from upper and lower case. */
function isSimilar(mistaken: string, text: string): boolean {
  const length = Math.max(mistaken.length, text.length);
  return levenshtein().distance(mistaken.toLowerCase(), text.toLowerCase()) <= length / 2;
}

function levenshtein(): typeof Levenshtein {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only for a mistake
  return require("fastest-levenshtein") as typeof Levenshtein;
}
