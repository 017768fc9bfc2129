import { createHash } from "node:crypto";

/** Returns the same credential at each start, so that a restarted sandbox shows no drift. */
export function inventCredential(...parts: string[]): string {
  return createHash("sha256").update(parts.join("/")).digest("base64").slice(0, 20);
}

/** Returns a user name of a database, always the same one for its parts. */
export function inventUsername(prefix: string, ...parts: string[]): string {
  return `${prefix.slice(0, 6)}_${inventCredential(...parts).slice(0, 6)}`;
}

/** Returns a number from 1000 to 9999, always the same one for a text. */
export function inventNumber(text: string): number {
  return 1000 + (createHash("sha256").update(text).digest().readUInt32BE() % 9000);
}

/** Returns a name for each element that has none: the first candidate that no element has yet. */
export function nameAll(
  names: readonly (string | undefined)[],
  candidate: (number: number) => string,
): string[] {
  const taken = new Set(names);
  return names.map((name) => {
    if (name !== undefined) return name;
    let number = 0;
    while (taken.has(candidate(number))) number++;
    taken.add(candidate(number));
    return candidate(number);
  });
}
