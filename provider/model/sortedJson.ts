import { compareValues } from "./compareValues.js";

/** Returns JSON with the keys of each object in order, so that equal values have equal texts. */
export function withSortedKeys(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withSortedKeys);
  if (typeof json !== "object" || json === null) return json;
  const members = Object.entries(json).sort(([a], [b]) => compareValues(a, b));
  return Object.fromEntries(members.map(([key, member]) => [key, withSortedKeys(member)]));
}
