import { InvalidAnswer } from "./validate.js";

const maxDepth = 32;

/** With this key Pulumi marks its own values in plain JSON: secrets, assets, references. */
export const signatureKey = "4dabf18193072939515e22adb298388d";

/** This text stands for a value that is not known yet. */
export const unknownSentinel = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/**
 * Passes on a JSON value whose shape the document does not show, unless Pulumi would make something
 * else of it: a local file to read, an Output, an unknown, another prototype, another text or number,
 * a stack overflow.
 */
export function checkOpaque(value: unknown, place: string, depth = 0): unknown {
  if (value === unknownSentinel) throw new InvalidAnswer(`${place} is a reserved text`);
  if (typeof value === "string") checkWellFormed(value, place);
  // 1e999 is JSON, but is parsed to Infinity, which is not. Other large integers are rounded.
  if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new InvalidAnswer(`${place} is too large a number`);
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth === maxDepth) throw new InvalidAnswer(`${place} is nested deeper than ${maxDepth}`);
  for (const [key, member] of Object.entries(value)) {
    checkKey(key, place);
    checkOpaque(member, place, depth + 1);
  }
  return value;
}

/** Refuses a text that cannot be a key of an object that Pulumi handles. */
export function checkKey(key: string, place: string): void {
  if (key === signatureKey || key === "__proto__" || key.startsWith("__pulumi")) {
    throw new InvalidAnswer(`${place} has a reserved key`);
  }
  checkWellFormed(key, place);
}

function checkWellFormed(text: string, place: string): void {
  if (!text.isWellFormed()) throw new InvalidAnswer(`${place} has half a surrogate pair`);
}
