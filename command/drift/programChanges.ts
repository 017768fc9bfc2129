import { isDeepStrictEqual } from "node:util";
import { countOf } from "../../audit/report/sentences.js";
import { displayText } from "../../provider/errors/displayText.js";
import { resultKeys } from "../../provider/snapshot/resources.js";
import { changeOf } from "./compareProjects.js";
import { type RecordedSnapshot, titleOf } from "./preview.js";
import { valuesText } from "./valuesText.js";

/** Whether the program asks for another project. If only its id or its name differs, the service has changed. */
export function hasOtherProject({ type, before, after }: RecordedSnapshot): boolean {
  const isOther = ["projectId", "name"].every((key) => before[key] !== after[key]);
  return type === "ProjectSnapshot" && isOther;
}

/** Whether the program selects other projects. */
export function hasOtherFilters({ before, after }: RecordedSnapshot): boolean {
  return !isDeepStrictEqual(before["filters"], after["filters"]);
}

/**
 * Returns a sentence for each argument of a snapshot that the program changes.
 *
 * @param added how many projects the program newly selects.
 * @param missing how many it no longer selects.
 */
export function programChangesOf(
  snapshot: RecordedSnapshot,
  added: number,
  missing: number,
): string[] {
  const { before, after } = snapshot;
  const title = titleOf(snapshot);
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !resultKeys.has(key) && !isDeepStrictEqual(before[key], after[key]),
  );
  return keys.map((key) => {
    const { change, ...values } = changeOf(before[key], after[key]);
    if (key !== "filters") return `${title}: ${displayText(key)} ${valuesText(values)}`;
    return [
      `${title}: filters ${change}`,
      ...(added > 0 ? [`${countOf(added, "project")} more`] : []),
      ...(missing > 0 ? [`${countOf(missing, "project")} fewer`] : []),
    ].join(", ");
  });
}
