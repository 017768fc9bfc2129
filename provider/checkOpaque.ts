import { InvalidAnswer } from "./validate.js";

const maxDepth = 32;

/** With this key Pulumi marks its own values in plain JSON: secrets, references, files to be read. */
const pulumiSignatureKey = "4dabf18193072939515e22adb298388d";

/**
 * Passes on a JSON value whose shape the document does not show, unless handing it to Pulumi would
 * make something else of it: a file reference, another prototype, or a stack overflow.
 */
export function checkOpaque(value: unknown, place: string, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === maxDepth) throw new InvalidAnswer(`${place} is nested deeper than ${maxDepth}`);
  if (Array.isArray(value)) {
    for (const element of value) checkOpaque(element, place, depth + 1);
    return value;
  }
  for (const [key, member] of Object.entries(value)) {
    if (key === "__proto__" || key === pulumiSignatureKey) {
      throw new InvalidAnswer(`${place} has a key that is reserved`);
    }
    checkOpaque(member, place, depth + 1);
  }
  return value;
}
