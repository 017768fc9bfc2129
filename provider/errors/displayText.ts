import type * as Levenshtein from "fastest-levenshtein";

const maxDisplayed = 20;

/** Characters that move the cursor, change the reading direction, or are invisible. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * The characters that .NET ignores in its comparisons, or that form one sign with the character before them, so
 * that .NET does not find that character. Runners are written in .NET.
 */
const ignored = String.raw`\p{DI}\p{M}\p{Gr_Ext}\p{EMod}\p{Cf}\p{Cn}\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u0640\u07fa\u0e33\u0eb3\u180a\u1cd3\ufe73`;
const gap = `[${ignored}]*`;
const word = (letters: string) => [...letters, ""].join(gap);

/**
 * The second `#` in what Azure Pipelines, GitHub and TeamCity read as a command, wherever it is in a line of
 * a log. A lookbehind before the `#` would take quadratic time.
 */
const commandSign = new RegExp(
  `#(?<=#${gap}#)(?=${gap}(?:${word("vso")}|${word("teamcity")})?\\[)`,
  "giu",
);

/** The start of a line that GitHub may read as a command. */
const commandStart = String.raw`^([\t\v\f\p{Z}\x85${ignored}]*:${gap}):`;

/** An IPv6 address or its prefix, after `::`. No command of GitHub has such a name. */
const restOfAddress = String.raw`(?:[\da-f]{1,4}(?:[:.][\da-f]{1,4})*)?(?:[\s/%,;)\]]|$)`;

const commandLine = new RegExp(
  String.raw`${commandStart}(?!${restOfAddress})(?=[^\r\n]*:${gap}:)`,
  "gimu",
);
const possibleCommandLine = new RegExp(commandStart, "mu");
const ignoredLineStart = new RegExp(`^[${ignored}]`, "mu");

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

/**
 * Escapes the start of lines that GitHub reads as a command: `::debug::` becomes `:\u003adebug::`. A line that
 * starts with an IPv6 address stays. Whoever stops commands until an address would choose no secret token.
 */
export function displayLines(lines: string): string {
  return lines.replace(commandLine, "$1\\u003a");
}

/** Whether a line starts with a character before which a runner does not find the end of a command. */
export function hasIgnoredLineStart(lines: string): boolean {
  return ignoredLineStart.test(lines);
}

/** Whether a runner may read a command in a text, even if somebody has stopped commands until a weak token. */
export function mayContainCommand(lines: string): boolean {
  return possibleCommandLine.test(lines) || withoutCommandSigns(lines) !== lines;
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

const maxSimilar = 10;

/** Returns the text that is most similar to a mistaken one. */
export function mostSimilar(mistaken: string, texts: readonly string[]): string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only for a mistake
  const { closest } = require("fastest-levenshtein") as typeof Levenshtein;
  return closest(mistaken, texts);
}

/**
 * Returns a sentence with the most similar of some texts, unless none is similar, and with all of them if there
 * are at most ten.
 */
export function didYouMean(mistaken: string, texts: readonly string[]): string {
  const different = [...new Set(texts)];
  const similar = mostSimilar(mistaken, different);
  const shown = different.slice(0, maxSimilar).map((text) => `"${displayText(text)}"`);
  const others = different.length - shown.length;
  const rest = others === 0 ? "" : ` and ${others} more`;
  const existing = `These exist: ${shown.join(", ")}${rest}.`;
  if (!isSimilar(mistaken, similar)) return existing;
  const question = `Did you mean "${displayText(similar)}"?`;
  return different.length === 1 || others > 0 ? question : `${question} ${existing}`;
}

/** Whether at most half of the characters differ, apart from upper and lower case. */
function isSimilar(mistaken: string, text: string): boolean {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only for a mistake
  const { distance } = require("fastest-levenshtein") as typeof Levenshtein;
  const length = Math.max(mistaken.length, text.length);
  return distance(mistaken.toLowerCase(), text.toLowerCase()) <= length / 2;
}
