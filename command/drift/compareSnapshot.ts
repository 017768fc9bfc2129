import { isDeepStrictEqual } from "node:util";
import { displayText } from "../../provider/errors/displayText.js";
import { type Field, fieldsVersion, sinceOf } from "../../provider/model/projectFields.js";
import type { InaccessibleProject } from "../../provider/model/project.js";
import { isRecorded } from "../../provider/model/selectedFields.js";
import { compareValues } from "../../provider/model/projectFilter.js";
import { resultKeys } from "../../provider/snapshot/resources.js";
import { unknownValue } from "../../provider/wire/pulumiSafeJson.js";
import { hiddenSecret } from "../env/stackOutputs.js";
import { compareProjects, type ProjectChange } from "./compareProjects.js";
import {
  asList,
  asObject,
  couldNotLook,
  type Json,
  type PreviewedSnapshot,
  type RecordedSnapshot,
  titleOf,
} from "./preview.js";
import { hasOtherFilters, hasOtherProject, programChangesOf } from "./programChanges.js";

/** What a preview says about a snapshot. */
export interface SnapshotChanges extends Pick<PreviewedSnapshot, "name" | "type" | "urn"> {
  /** How many recorded projects were compared. */
  readonly projects: number;
  /** Whether Pulumi hides the projects, and only says whether they change. */
  readonly isSecret?: true;
  readonly changes: readonly DriftChange[];
  /** Sentences about what the program changes. This is no drift. */
  readonly programChanges: readonly string[];
  /** Sentences about what the preview does not tell. */
  readonly notCompared: readonly string[];
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
  const { name, type, urn, before, ignored } = snapshot;
  const title = titleOf(snapshot);
  const notCompared = ignored.map((path) => `${title} ignores changes of ${displayText(path)}`);
  const nothing = { name, type, urn, projects: 0, changes: [], notCompared };
  if (before === undefined) {
    return { ...nothing, programChanges: [`${title} is new in the program`] };
  }
  const recorded = { ...snapshot, before };
  refuseIncomparable(recorded);
  if (hasOtherProject(recorded)) return { ...nothing, programChanges: programChangesOf(recorded) };

  const [was, now] = [recordsIn(recorded, before), recordsIn(recorded, snapshot.after)];
  const { changes, added, missing } = compareAll(recorded, was, now);
  let projects = readableIn(was).length;
  if (hasOtherFilters(recorded)) projects -= missing.length;
  else {
    const ids = missing.map(({ projectId }) => projectId);
    const fates = ids.length === 0 ? undefined : await findMissing(recorded, ids);
    changes.push(...added, ...missing.map((each) => ({ ...each, ...fates?.get(each.projectId) })));
  }
  // The credentials of all projects are one secret, which changes with the projects.
  const isSameSelection = isDeepStrictEqual(readableIn(was), readableIn(now));
  for (const change of hiddenChanges(recorded)) {
    if (isSameSelection || change.field !== "credentials") changes.push(change);
    else notCompared.push(`${title}: credentials, because other projects are recorded`);
  }
  changes.sort((a, b) => compareValues(a.name, b.name) || compareValues(a.projectId, b.projectId));
  const programChanges = programChangesOf(recorded, added.length, missing.length);
  const isSecret = before["projects"] === hiddenSecret;
  return { ...nothing, projects, changes, programChanges, ...(isSecret && { isSecret }) };
}

function refuseIncomparable(snapshot: RecordedSnapshot): void {
  const { before, after, changed } = snapshot;
  const title = titleOf(snapshot);
  if (Object.values(after).includes(unknownValue)) {
    throw couldNotLook(
      `the preview does not know yet what ${title} will read. Run pulumi up first.`,
    );
  }
  const inBoth = [...resultKeys].filter((key) => key in before && key in after);
  if (inBoth.some((key) => (before[key] === hiddenSecret) !== (after[key] === hiddenSecret))) {
    throw couldNotLook(
      `the arguments of ${title} have become secret, or are no longer secret, so Pulumi hides one side of what changed. Run pulumi up once.`,
    );
  }
  if (!changed.has("service") && before["service"] === after["service"]) return;
  const [recorded, read] = [before["service"], after["service"]].map((address) =>
    displayText(String(address), 200),
  );
  // Another service may have none of the projects, so that each of them would look removed.
  throw couldNotLook(
    `${title} has recorded the service at ${recorded}, but the settings name ${read}. Check baseUrl and connection. If the service has moved, record it with pulumi up --refresh=false.`,
  );
}

/** By id, a recorded project, or why a listed one could not be read. */
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

/** Compares the projects, and returns new and missing ones apart. */
function compareAll(snapshot: RecordedSnapshot, recorded: Records, read: Records) {
  const isCompared = recordedIn(snapshot);
  const changes: DriftChange[] = [];
  const added: DriftChange[] = [];
  const missing: (DriftChange & { projectId: string })[] = [];
  for (const id of new Set([...recorded.keys(), ...read.keys()])) {
    const [was, now] = [recorded.get(id), read.get(id)];
    const place = placeOf(id, was?.project ?? now?.project);
    const whole = { ...place, field: "projects", ...(was?.code && { before: was.code }) };
    if (now === undefined) missing.push({ ...whole, change: "removed" });
    else if (now.code !== undefined) {
      const isNew = now.code !== was?.code;
      if (isNew) changes.push({ ...whole, change: "inaccessible", after: now.code });
    } else if (was?.project === undefined) added.push({ ...whole, change: "added" });
    // Most projects are equal, which is quick to find out.
    else if (!isDeepStrictEqual(was.project, now.project)) {
      const ofProject = compareProjects(was.project, now.project, isCompared);
      changes.push(...ofProject.map((each) => ({ ...place, ...each })));
    }
  }
  return { changes, added, missing };
}

function placeOf(projectId: string, project: unknown) {
  const name = asObject(project)?.["name"];
  return { projectId, ...(typeof name === "string" && { name }) };
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
