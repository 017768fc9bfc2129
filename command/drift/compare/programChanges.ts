import { isDeepStrictEqual } from "node:util";
import type { ComparedSnapshot, ProgramChange } from "./snapshotChanges.js";
import { secrecyOf } from "./secrecy.js";

/** Filters may contain secrets, and the text of the provider says nothing to a reader. */
const withoutValues: ReadonlySet<string> = new Set(["filters", "__provider"]);

/**
 * Returns the changes of what the program decides: all inputs that are no results of reading.
 *
 * @param results the inputs that the service decides.
 */
export function programChanges(
  snapshot: ComparedSnapshot,
  results: readonly string[],
): ProgramChange[] {
  const { before, after, changed } = snapshot;
  const keys = new Set([...before.keys(), ...after.keys()].filter((key) => !results.includes(key)));
  const changes = [...keys].flatMap((property): ProgramChange[] => {
    const [one, other] = [before.get(property), after.get(property)];
    if (isDeepStrictEqual(one, other) && !changed.has(property)) return [];
    const values = withoutValues.has(property)
      ? {}
      : { ...(one !== undefined && { before: one }), ...(other !== undefined && { after: other }) };
    const change = !before.has(property) ? "added" : !after.has(property) ? "removed" : "changed";
    return [{ property, change, ...values }];
  });
  return [...changes, ...changesOfSecrecy(snapshot, results)];
}

/** Results are secret if an argument is, such as the name of the project. */
function changesOfSecrecy(snapshot: ComparedSnapshot, results: readonly string[]): ProgramChange[] {
  const inBoth = results.filter((key) => snapshot.before.has(key) && snapshot.after.has(key));
  const [secrecy] = inBoth
    .map((key) => secrecyOf(snapshot, key))
    .filter((one) => one === "before" || one === "after");
  if (secrecy === undefined) return [];
  const [before, after] = [secrecy === "before", secrecy === "after"];
  return [{ property: "secret", change: "changed", before, after }];
}
