import { displayText } from "../../provider/errors/displayText.js";

const maxLength = 120;
const shownBefore = 20;

/** Returns the texts of the old and the new value. Of long values, they show the part that differs. */
export function valueTexts(before: unknown, after: unknown): [before: string, after: string] {
  let [was, is] = [plainText(before), plainText(after)];
  // Without quotes, the text null looks like null.
  if (was === is) [was, is] = [jsonText(before), jsonText(after)];
  const isLong = was.length > maxLength || is.length > maxLength;
  const start = isLong ? Math.max(0, lengthInCommon(was, is) - shownBefore) : 0;
  const shown = (text: string) =>
    displayText(`${start > 0 ? "…" : ""}${text.slice(start)}`, maxLength);
  return [shown(was), shown(is)];
}

function lengthInCommon(was: string, is: string): number {
  let length = 0;
  while (length < was.length && was[length] === is[length]) length++;
  return length;
}

/** Returns a text as it is, if it has no space at its ends, and JSON otherwise. */
function plainText(value: unknown): string {
  const isPlain = typeof value === "string" && value !== "" && value.trim() === value;
  return isPlain ? value : jsonText(value);
}

function jsonText(value: unknown): string {
  return JSON.stringify(value) ?? "(none)";
}
