import type * as Levenshtein from "fastest-levenshtein";

/** Characters that change the reading direction, break a line or are invisible. U+2800 is the blank Braille pattern. */
const invisible = String.raw`\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`;

/**
 * Also characters that move the cursor. And each second sign of `##` and `::`, with which the commands of CI runners
 * begin: `##[group]`, `##vso[task.complete]`, `::debug::`.
 * https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands
 */
const unsafe = new RegExp(String.raw`[\p{Cc}\p{Cs}${invisible}]|(?<=#)#|(?<=:):`, "gu");

const unsafeInJson = new RegExp(String.raw`[\u007f-\u009f${invisible}]|(?<=#)#`, "gu");

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
  return JSON.stringify(value, undefined, indent).replace(unsafeInJson, (character) =>
    // Above U+FFFF, a character is two units.
    character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/** Lists the first texts, each as {@link displayText}, and says how many more there are. */
export function displayList(texts: readonly string[], maxTexts = 20, maxLength = 80): string {
  const shown = texts.slice(0, maxTexts).map((text) => displayText(text, maxLength));
  const hidden = texts.length - shown.length;
  return shown.join(", ") + (hidden > 0 ? ` and ${displayNumber(hidden)} more` : "");
}

/** Returns a number for people, for instance `1,200`. */
export function displayNumber(count: number): string {
  return count.toLocaleString("en");
}

/** Returns for instance `1 project` or `2,000 projects`. */
export function displayCount(count: number, thing: string): string {
  return `${displayNumber(count)} ${thing}${count === 1 ? "" : "s"}`;
}

/** Returns for instance `3 added` and `1,200 kept`. */
export function displayCounts(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts).map(([what, count]) => `${displayNumber(count)} ${what}`);
}

/** Returns for instance `2 of 3,000 projects`. */
export function displayShare(part: number, all: number, thing: string): string {
  return `${displayNumber(part)} of ${displayCount(all, thing)}`;
}

/**
 * Says what could be meant by a mistaken word: one that is similar, and what there is. Without the last period.
 *
 * @param noun what the known words are, such as `keys`.
 */
export function didYouMean(mistaken: string, known: readonly string[], noun: string): string {
  if (known.length === 0) return `There are no ${noun}`;
  // The start or the end of a path is a mistake that no count of letters finds.
  const below = known.find(
    (word) => word.startsWith(`${mistaken}.`) || word.endsWith(`.${mistaken}`),
  );
  const { closest, distance } =
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only for a mistake
    require("fastest-levenshtein") as typeof Levenshtein;
  const word = mistaken.toLowerCase();
  const words = known.map((each) => each.toLowerCase());
  const similar = closest(word, words);
  const maxDistance = Math.max(word.length, similar.length) / 2;
  const meant =
    below ?? (distance(word, similar) <= maxDistance ? known[words.indexOf(similar)] : undefined);
  const question = meant === undefined ? "" : `Did you mean ${displayText(meant)}? `;
  return `${question}Known ${noun}: ${displayList(known)}`;
}
