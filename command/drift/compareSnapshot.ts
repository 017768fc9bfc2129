import { isDeepStrictEqual } from "node:util";
import { displayText } from "../../provider/errors/displayText.js";
import { type Field, fieldsVersion, sinceOf } from "../../provider/model/fields.js";
import type { InaccessibleProject } from "../../provider/model/project.js";
import { isRecorded } from "../../provider/model/recordedFields.js";
import { compareValues } from "../../provider/model/selection.js";
import { resultKeys } from "../../provider/snapshot/resultKeys.js";
import { unknownValue } from "../../provider/wire/pulumiSafeJson.js";
import { hiddenSecret } from "../env/stackOutputs.js";
import { changeOf, compareProjects, type ProjectChange } from "./compareProjects.js";
import { asList, asObject, couldNotLook, type Json, type PreviewedSnapshot } from "./preview.js";

/** What a preview says about a snapshot. */
export interface SnapshotChanges extends Pick<PreviewedSnapshot, "name" | "type" | "urn"> {
  /** How many recorded projects were compared. */
  readonly projects: number;
  /** Whether Pulumi hides the projects, and only says whether they change. */
  readonly isSecret?: true;
  readonly changes: readonly DriftChange[];
  readonly programChanges: readonly ProgramChange[];
  readonly notCompared: readonly NotCompared[];
}

/** Fields of which a preview does not tell whether they have changed. */
export interface NotCompared {
  /** The path of a field, as `ignoreChanges` names it, or `credentials`. */
  readonly field: string;
  /** The credentials of all projects are one secret, which changes with the projects. */
  readonly reason: "ignoreChanges" | "other projects";
}

/** A difference between what is recorded of the service and what it has now. */
export interface DriftChange extends Omit<ProjectChange, "change"> {
  /** Absent for the credentials of several projects. */
  readonly projectId?: string;
  /** The recorded name of the project, or the name of a new one. */
  readonly name?: string;
  /** `before` and `after` of an inaccessible project are the codes of its errors. */
  readonly change: ProjectChange["change"] | "inaccessible" | "no longer matching";
}

/** A change that the program makes. It is no drift. */
export interface ProgramChange {
  /** The argument. Absent for a snapshot that is new in the program. */
  readonly property?: string;
  readonly change: ProjectChange["change"];
  /** Absent if the values may be secret, or tell nothing. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** How many projects other filters select in addition, and how many no longer. */
  readonly projectsAdded?: number;
  readonly projectsRemoved?: number;
}

/** A snapshot that is recorded. */
export interface RecordedSnapshot extends PreviewedSnapshot {
  readonly before: Json;
}

/** Finds out what became of recorded projects that the list no longer has. */
export type FindMissing = (
  snapshot: RecordedSnapshot,
  projectIds: readonly string[],
) => Promise<ReadonlyMap<string, Pick<DriftChange, "change" | "after">>>;

/**
 * Compares what a snapshot has recorded with what an update would record.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if it cannot be compared.
 */
export async function compareSnapshot(
  snapshot: PreviewedSnapshot,
  findMissing: FindMissing,
): Promise<SnapshotChanges> {
  const { name, type, urn, before, after, ignored } = snapshot;
  const notCompared = ignored.map((field): NotCompared => ({ field, reason: "ignoreChanges" }));
  const place = { name, type, urn, notCompared };
  if (before === undefined) {
    return { ...place, projects: 0, changes: [], programChanges: [{ change: "added" }] };
  }
  const recorded = { ...snapshot, before };
  refuseIncomparable(recorded);
  const isOther =
    type === "ProjectSnapshot" && ["projectId", "name"].every((key) => before[key] !== after[key]);
  if (isOther) {
    // The program asks for another project.
    const ids = changeOf(before["projectId"], after["projectId"]);
    return {
      ...place,
      projects: 0,
      changes: [],
      programChanges: [{ property: "projectId", ...ids }],
    };
  }
  const isSecret = before["projects"] === hiddenSecret;
  const comparison = await compare(recorded, findMissing);
  notCompared.push(...comparison.notCompared);
  return { ...place, ...comparison, notCompared, ...(isSecret && { isSecret }) };
}

function refuseIncomparable({ type, name, before, after, changed }: RecordedSnapshot): void {
  const snapshot = `${type} ${displayText(name)}`;
  if (Object.values(after).includes(unknownValue)) {
    throw couldNotLook(
      `the preview does not know yet what ${snapshot} will read. Run pulumi up first.`,
    );
  }
  const inBoth = [...resultKeys].filter((key) => key in before && key in after);
  if (inBoth.some((key) => (before[key] === hiddenSecret) !== (after[key] === hiddenSecret))) {
    throw couldNotLook(
      `the arguments of ${snapshot} have become secret, or are no longer secret, so Pulumi hides one side of what changed. Run pulumi up once.`,
    );
  }
  if (!changed.has("service") && before["service"] === after["service"]) return;
  const [recorded, read] = [before["service"], after["service"]].map((address) =>
    displayText(String(address), 200),
  );
  // Another service may have none of the projects, so that each of them would look removed.
  throw couldNotLook(
    `${snapshot} has recorded the service at ${recorded}, but the settings name ${read}. Check baseUrl and connection. If the service has moved, record it with pulumi up --refresh=false.`,
  );
}

type Comparison = Pick<SnapshotChanges, "projects" | "changes" | "programChanges" | "notCompared">;

async function compare(snapshot: RecordedSnapshot, findMissing: FindMissing): Promise<Comparison> {
  const { before, after } = snapshot;
  const [recorded, read] = [recordsIn(snapshot, before), recordsIn(snapshot, after)];
  const missing = [...recorded.keys()].filter((id) => !read.has(id));
  const { added, changes } = compareRecords(snapshot, recorded, read);
  const projects = readableIn(recorded).length;
  // The credentials of all projects are one secret, which changes with the projects.
  const isSameSelection = isDeepStrictEqual(readableIn(recorded), readableIn(read));
  const hidden = hiddenChanges(snapshot);
  const credentials = isSameSelection ? [] : hidden.filter(({ field }) => field === "credentials");
  const notCompared = credentials.map(
    ({ field }) => ({ field, reason: "other projects" }) as const,
  );
  changes.push(...hidden.filter((each) => !credentials.includes(each)));

  const programChanges = programChangesOf(snapshot);
  const filters = programChanges.findIndex(({ property }) => property === "filters");
  if (filters !== -1) {
    // Other filters select other projects.
    const counts = { projectsAdded: added.length, projectsRemoved: missing.length };
    programChanges.splice(filters, 1, { ...programChanges[filters]!, ...counts });
    return {
      projects: projects - missing.length,
      changes: sorted(changes),
      notCompared,
      programChanges,
    };
  }
  const fates = missing.length === 0 ? undefined : await findMissing(snapshot, missing);
  const gone = missing.map((id): DriftChange => {
    const { project, code } = recorded.get(id) ?? {};
    const fate = fates?.get(id) ?? { change: "removed" };
    return { ...placeOf(id, project), field: "projects", ...(code && { before: code }), ...fate };
  });
  return {
    projects,
    changes: sorted([...changes, ...added, ...gone]),
    notCompared,
    programChanges,
  };
}

/** Returns the new projects, and the changes of those that are recorded and in the new record. */
function compareRecords(snapshot: RecordedSnapshot, recorded: Records, read: Records) {
  const isCompared = recordedIn(snapshot);
  const [added, changes]: [DriftChange[], DriftChange[]] = [[], []];
  for (const [id, { project, code }] of read) {
    const was = recorded.get(id);
    const place = placeOf(id, was?.project ?? project);
    const whole = { ...place, field: "projects", ...(was?.code && { before: was.code }) };
    if (code !== undefined) {
      if (code !== was?.code) changes.push({ ...whole, change: "inaccessible", after: code });
    } else if (was?.project === undefined) added.push({ ...whole, change: "added" });
    // Most projects are equal, which is quick to find out.
    else if (!isDeepStrictEqual(was.project, project)) {
      const ofProject = compareProjects(was.project, project, isCompared);
      changes.push(...ofProject.map((each) => ({ ...place, ...each })));
    }
  }
  return { added, changes };
}

/** By id, the recorded project, or why a listed one could not be read. */
type Records = ReadonlyMap<string, { readonly project?: unknown; readonly code?: string }>;

/** Returns the projects of a snapshot before or after the update. */
function recordsIn({ type, before }: RecordedSnapshot, inputs: Json): Records {
  // The inputs of a ProjectSnapshot are the fields of its project.
  const projects =
    type === "ProjectSnapshot" ? { [String(before["projectId"])]: inputs } : inputs["projects"];
  const records = new Map<string, { project?: unknown; code?: string }>();
  for (const [id, project] of Object.entries(asObject(projects) ?? {}))
    records.set(id, { project });
  const inaccessible = asList(inputs["inaccessible"]) as readonly InaccessibleProject[];
  for (const { projectId, code } of inaccessible) records.set(projectId, { code });
  return records;
}

function readableIn(records: Records): string[] {
  return [...records].flatMap(([id, { code }]) => (code === undefined ? id : [])).sort();
}

function placeOf(projectId: string, project: unknown): Pick<DriftChange, "projectId" | "name"> {
  const name = asObject(project)?.["name"];
  return { projectId, ...(typeof name === "string" && { name }) };
}

function sorted(changes: readonly DriftChange[]): DriftChange[] {
  return [...changes].sort(
    (a, b) => compareValues(a.name, b.name) || compareValues(a.projectId, b.projectId),
  );
}

/**
 * Returns whether both records contain a field: the argument `fields` can leave it out, and an older version of
 * this package did not know it. The entries of `missingFields` depend on both.
 */
function recordedIn({ before, after }: RecordedSnapshot) {
  const lists = [before["fields"], after["fields"]];
  const isSameScope = isDeepStrictEqual(lists[0], lists[1]);
  const version = Number(before["fieldsVersion"] ?? 1);
  return (path: string, field: Field) => {
    if (before[path] === hiddenSecret) return false;
    if (field.kind === "missingFields") return isSameScope && version === fieldsVersion;
    if (sinceOf(field) > version) return false;
    return lists.every((fields) => !Array.isArray(fields) || isRecorded(fields, path));
  };
}

/** Returns a change without values for each input that Pulumi hides and that changes, and for credentials. */
function hiddenChanges({ type, before, after, changed }: RecordedSnapshot): DriftChange[] {
  const place = type === "ProjectSnapshot" ? placeOf(String(before["projectId"]), before) : {};
  const isHidden = (key: string) =>
    key === "credentials" ? key in before && key in after : before[key] === hiddenSecret;
  return [...resultKeys]
    .filter((key) => changed.has(key) && isHidden(key))
    .map((field) => ({ ...place, field, change: "changed" }));
}

/** Filters may contain secrets, and the text of the provider says nothing to a reader. */
const withoutValues: ReadonlySet<string> = new Set(["filters", "__provider"]);

function programChangesOf({ before, after, changed }: RecordedSnapshot): ProgramChange[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((property): ProgramChange[] => {
    const [one, other] = [before[property], after[property]];
    // An older record says so by its credentials.
    const isDefault = property === "includeCredentials" && one === undefined;
    if (isDefault && other === "credentials" in before) return [];
    const isSame = isDeepStrictEqual(one, other) && !changed.has(property);
    if (resultKeys.has(property) || isSame) return [];
    const { change, ...values } = changeOf(one, other);
    return [{ property, change, ...(withoutValues.has(property) ? {} : values) }];
  });
}
