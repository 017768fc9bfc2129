import { countOf } from "../../../audit/report/sentences.js";
import { displayText } from "../../../provider/errors/displayText.js";
import type { DriftChange, ProgramChange, SnapshotChanges } from "../compare/snapshotChanges.js";
import type { DriftReport } from "./driftReport.js";

/** Returns the result in one line. */
export function summarySentence({ drift, summary }: DriftReport): string {
  const { changes, changedProjects, comparedProjects } = summary;
  if (!drift) return noDriftSentence(comparedProjects);
  const projects = changedProjects === 0 ? "" : ` in ${countOf(changedProjects, "project")}`;
  return `Drift: ${countOf(changes, "change")}${projects}. If this is all right, pulumi up records it.`;
}

function noDriftSentence(comparedProjects: number | undefined): string {
  if (comparedProjects === undefined)
    return "No drift: the preview shows no change in the service.";
  if (comparedProjects === 0) return "No drift: no project was compared.";
  const are = comparedProjects === 1 ? "is" : "are";
  return `No drift: ${countOf(comparedProjects, "project")} ${are} as recorded.`;
}

/** Returns how many other resources would change, as a line. Empty if there are none. */
export function otherResourcesSentence({ otherResources }: DriftReport): string[] {
  const counts = Object.entries(otherResources).map(
    ([operation, count]) => `${count} to ${displayText(operation)}`,
  );
  return counts.length === 0 ? [] : [`Other resources, no drift: ${counts.join(", ")}.`];
}

/** Returns the parts of a line about a change, safe to show. Parts that do not apply are empty. */
export function partsOf(change: DriftChange, { isFiltered }: SnapshotChanges) {
  const { projectId, name, environmentId, subject = "", field } = change;
  const id = projectId === undefined ? "" : displayText(projectId);
  const place = {
    project: name === undefined || id === "" ? id : `${displayText(name)} (${id})`,
    environment: environmentId === undefined ? "" : displayText(environmentId),
    subject: displayText(subject, 200),
  };
  if (field === "projects" && projectId !== undefined) {
    return { ...place, field: "", change: accessText(change, isFiltered) };
  }
  if (field === "credentials") return { ...place, field: "", change: "credentials changed" };
  const shown = shownField(change);
  const isElement = change.before === undefined && change.after === undefined;
  return { ...place, field: shown, change: isElement ? change.change : valuesText(change) };
}

function accessText({ change, before, after }: DriftChange, isFiltered: boolean): string {
  const code = (value: unknown) => displayText(String(value));
  if (change === "inaccessible") return `inaccessible (${code(after)})`;
  if (before !== undefined) return `${change}, was inaccessible (${code(before)})`;
  if (!isFiltered) return change;
  return change === "removed" ? "removed or no longer matching" : "added or newly matching";
}

/** Returns the path of a field below the environment and the element that the line names. */
function shownField({ environmentId, subject, field }: DriftChange): string {
  const inside = environmentId === undefined ? field : field.replace(/^environments\.?/, "");
  return subject === undefined ? inside : inside.replace(/^\w+\.?/, "");
}

/** Returns a change to the program as a line. */
export function programChangeText(
  { name, type }: SnapshotChanges,
  { property, change, before, after, ...counts }: ProgramChange,
): string {
  const snapshot = `${type} ${displayText(name)}`;
  if (property === undefined) {
    return `${snapshot} is ${change === "added" ? "new in the program" : "no longer in the program"}`;
  }
  if (property === "credentials") {
    return `${snapshot}: credentials were not compared, because other projects are selected`;
  }
  const shown = property === "__provider" ? "text of the provider" : displayText(property);
  const values =
    before === undefined && after === undefined ? change : valuesText({ before, after });
  const { projectsAdded = 0, projectsRemoved = 0 } = counts;
  const selected = [
    ...(projectsAdded > 0 ? [`${countOf(projectsAdded, "project")} more`] : []),
    ...(projectsRemoved > 0 ? [`${countOf(projectsRemoved, "project")} fewer`] : []),
  ];
  return [`${snapshot}: ${shown} ${values}`, ...selected].join(", ");
}

const maxValueLength = 120;
const shownBefore = 20;

/** Returns the old and the new value. Of long values, it shows the part that differs. */
function valuesText({ before, after }: Pick<DriftChange, "before" | "after">): string {
  const [one, other] = [before, after].map(plainText) as [string, string];
  let start = 0;
  if (Math.max(one.length, other.length) > maxValueLength) {
    while (one[start] === other[start] && start < Math.min(one.length, other.length)) start++;
    start = Math.max(0, start - shownBefore);
  }
  const [shownOne, shownOther] = [one, other].map((text) =>
    displayText(`${start > 0 ? "…" : ""}${text.slice(start)}`, maxValueLength),
  );
  return `${shownOne} → ${shownOther}`;
}

/** Returns a text as it is if nobody can take it for something else, and JSON otherwise. */
function plainText(value: unknown): string {
  if (value === undefined) return "(none)";
  const isPlain = typeof value === "string" && value !== "" && value.trim() === value;
  return isPlain ? value : JSON.stringify(value);
}
