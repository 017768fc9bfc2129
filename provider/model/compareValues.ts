export type Scalar = string | number | boolean;

/**
 * Compares two values for `sort`. Text is compared by code units, so that the order is the same on
 * every machine. False comes before true. A missing value comes last.
 */
export function compareValues<T extends Scalar>(a: T | undefined, b: T | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return a < b ? -1 : 1;
}

/** Returns JSON with the keys of each object in order, so that equal values have equal texts. */
export function withSortedKeys(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withSortedKeys);
  if (typeof json !== "object" || json === null) return json;
  const members = Object.entries(json).sort(([a], [b]) => compareValues(a, b));
  return Object.fromEntries(members.map(([key, member]) => [key, withSortedKeys(member)]));
}
