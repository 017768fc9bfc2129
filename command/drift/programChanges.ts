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
export function hasOtherFilters(snapshot: RecordedSnapshot): boolean {
  return changedArguments(snapshot).includes("filters");
}

function changedArguments({ before, after, changed }: RecordedSnapshot): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.filter((key) => {
    // An older record says so by its credentials.
    const isDefault = key === "includeCredentials" && before[key] === undefined;
    if (resultKeys.has(key) || (isDefault && after[key] === "credentials" in before)) return false;
    return changed.has(key) || !isDeepStrictEqual(before[key], after[key]);
  });
}

/** Returns a sentence for each argument of a snapshot that the program changes. */
export function programChangesOf(snapshot: RecordedSnapshot, added = 0, missing = 0): string[] {
  const { before, after } = snapshot;
  const others = hasOtherProject(snapshot) ? ["projectId"] : [];
  return [...others, ...changedArguments(snapshot)].map((key) => {
    const { change, ...values } = changeOf(before[key], after[key]);
    const start = `${titleOf(snapshot)}: `;
    if (key === "__provider") return `${start}text of the provider ${change}`;
    if (key !== "filters") return `${start}${displayText(key)} ${valuesText(values)}`;
    // Filters may contain secrets.
    return [
      `${start}filters ${change}`,
      ...(added > 0 ? [`${countOf(added, "project")} more`] : []),
      ...(missing > 0 ? [`${countOf(missing, "project")} fewer`] : []),
    ].join(", ");
  });
}
