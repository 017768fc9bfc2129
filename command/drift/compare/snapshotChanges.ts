import { isDeepStrictEqual } from "node:util";
import { hiddenSecret } from "../../env/stackOutputs.js";
import { type PreviewedSnapshot, textOf } from "../preview.js";
import type { ProjectChange } from "./compareProjects.js";

/** What a preview says about a snapshot. */
export interface SnapshotChanges {
  readonly name: string;
  readonly type: PreviewedSnapshot["type"];
  readonly urn: string;
  /** How many recorded projects were compared. */
  readonly projects: number;
  /** Whether filters select the projects. */
  readonly isFiltered: boolean;
  readonly changes: readonly DriftChange[];
  readonly programChanges: readonly ProgramChange[];
}

/** A difference between what is recorded of the service and what it has now. */
export interface DriftChange extends Omit<ProjectChange, "change"> {
  /** Absent for the credentials of several projects. */
  readonly projectId?: string;
  /** The recorded name of the project, or the name of a new one. */
  readonly name?: string;
  /** `before` and `after` of an inaccessible project are the codes of its errors. */
  readonly change: ProjectChange["change"] | "inaccessible";
}

/** A change that the program makes. It is no drift. */
export interface ProgramChange {
  /**
   * The argument, such as `shard`. `secret` if the values are secret on one side only. Absent for a
   * snapshot that is new in the program or no longer in it.
   */
  readonly property?: string;
  readonly change: ProjectChange["change"];
  /** Absent if the values may be secret, or tell nothing. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** How many projects the filters or the shard select in addition, and how many no longer. */
  readonly projectsAdded?: number;
  readonly projectsRemoved?: number;
}

/** A snapshot that is recorded and still in the program. */
export type ComparedSnapshot = PreviewedSnapshot &
  Required<{ [Key in "before" | "after"]: NonNullable<PreviewedSnapshot[Key]> }>;

/** The result of a comparison. */
export type Comparison = Pick<
  SnapshotChanges,
  "projects" | "isFiltered" | "changes" | "programChanges"
>;

/** Whether Pulumi hides an input before the update, after it, always or never. */
export function secrecyOf(
  { before, after }: ComparedSnapshot,
  key: string,
): "before" | "after" | "always" | "never" {
  const [one, other] = [before, after].map((inputs) => textOf(inputs.get(key)) === hiddenSecret);
  if (one) return other ? "always" : "before";
  return other ? "after" : "never";
}

/** Returns a change without values for each input that Pulumi always hides and that changes. */
export function hiddenChanges(snapshot: ComparedSnapshot, keys: readonly string[]): DriftChange[] {
  return keys
    .filter((key) => secrecyOf(snapshot, key) === "always" && snapshot.changed.has(key))
    .map((field) => ({ field, change: "changed" }));
}

/**
 * Whether credentials change that are recorded before and after. Their values are never read: Pulumi says
 * whether they change.
 */
export function credentialsChange({ before, after, changed }: ComparedSnapshot): boolean {
  return before.has("credentials") && after.has("credentials") && changed.has("credentials");
}

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
