import { isDeepStrictEqual } from "node:util";
import { displayText } from "../../provider/errors/displayText.js";
import { type Field, fieldsVersion } from "../../provider/model/projectFields.js";
import type { InaccessibleProject } from "../../provider/model/project.js";
import { recordedPaths } from "../../provider/model/selectedFields.js";
import { compareValues } from "../../provider/model/compareValues.js";
import { isIgnored } from "../../provider/snapshot/ignoredPaths.js";
import { readRecord } from "../../provider/snapshot/recordProjects.js";
import { resultKeys } from "../../provider/snapshot/resources.js";
import { unknownValue } from "../../provider/wire/pulumiSafeJson.js";
import { hiddenSecret } from "../pulumi.js";
import { compareProjects, type ProjectChange } from "./compareProjects.js";
import {
  couldNotLook,
  type JsonObject,
  type PreviewedSnapshot,
  type RecordedSnapshot,
  titleOf,
} from "./preview.js";
import { valuesText } from "./valuesText.js";

/** What a preview says about a snapshot. */
export interface ComparedSnapshot extends Pick<PreviewedSnapshot, "name" | "type" | "urn"> {
  /** The recorded projects that were compared, as texts of service and id. */
  readonly projects: readonly string[];
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
  readonly name?: string | undefined;
  /** `before` and `after` of an inaccessible project are the codes of its errors. */
  readonly change: ProjectChange["change"] | "inaccessible" | "no longer matching";
}

/** What became of a recorded project that the new record lacks. */
export type Fate = Pick<DriftChange, "change" | "after">;

/** What became of projects, by their ids. */
export type Fates = ReadonlyMap<string, Fate>;

/** Compares what a snapshot has recorded with what an update would record. */
export async function compareSnapshot(
  snapshot: PreviewedSnapshot,
  findMissing: (snapshot: RecordedSnapshot, projectIds: readonly string[]) => Promise<Fates>,
): Promise<ComparedSnapshot> {
  const { name, type, urn, before, after, changed, ignored } = snapshot;
  const title = titleOf(snapshot);
  const notCompared = ignored.map((path) => `${title} ignores changes of ${displayText(path)}`);
  const nothing = { name, type, urn, projects: [], changes: [], notCompared };
  if (before === undefined) {
    return { ...nothing, programChanges: [`${title} is new in the program`] };
  }
  const recorded = { ...snapshot, before };
  refuseIncomparable(recorded);
  // If only its id or its name differs, the project is the same, and the service has changed.
  const isOther = ["projectId", "name"].every((key) => before[key] !== after[key]);
  if (type === "ProjectSnapshot" && isOther) {
    return { ...nothing, programChanges: [`${title} is of another project in the program`] };
  }

  const [was, is] = [recordsIn(recorded, before), recordsIn(recorded, after)];
  const missing = [...was.keys()].filter((id) => !is.has(id));
  const fates: Fates = missing.length === 0 ? new Map() : await findMissing(recorded, missing);
  const stillRecorded = [...was.keys()].filter((id) => is.has(id) || fates.has(id));
  // If the filters in the program have changed, a project that is new in the record is no drift.
  const hasSameFilters = isDeepStrictEqual(before["filters"], after["filters"]);
  const added = hasSameFilters ? [...is.keys()].filter((id) => !was.has(id)) : [];
  const isCompared = recordedIn(recorded);
  const changes = [...stillRecorded, ...added].flatMap((id) =>
    compareRecords(type, id, was.get(id), is.get(id), isCompared).map((change) => ({
      ...change,
      ...fates.get(id),
    })),
  );
  if (changed.has("credentials") && "credentials" in before && "credentials" in after) {
    // The credentials of all projects are one secret, which changes with the projects.
    if (isDeepStrictEqual(readableIn(was), readableIn(is))) {
      const of = type === "ProjectSnapshot" ? identityOf(String(before["projectId"]), before) : {};
      changes.push({ ...of, field: "credentials", change: "changed" });
    } else notCompared.push(`${title}: credentials, because other projects are recorded`);
  }
  changes.sort((a, b) => compareValues(a.name, b.name) || compareValues(a.projectId, b.projectId));
  const projects = stillRecorded
    .filter((id) => isReadable(was.get(id)) && !isLeftOut(recorded, id))
    .map((id) => JSON.stringify([before["service"], id]));
  return { ...nothing, projects, changes, programChanges: programChangesOf(recorded) };
}

function refuseIncomparable(snapshot: RecordedSnapshot): void {
  const { before, after } = snapshot;
  const title = titleOf(snapshot);
  if (Object.values(after).includes(unknownValue)) {
    throw couldNotLook(
      `the preview does not know yet what ${title} will read. Run pulumi up first.`,
    );
  }
  const [recorded, read] = [String(before["service"]), String(after["service"])];
  if (recorded === hiddenSecret || read === hiddenSecret) {
    throw couldNotLook(
      `an argument of ${title} is or was secret, so Pulumi hides what was recorded. Pass it with pulumi.unsecret, and run pulumi up once.`,
    );
  }
  if (recorded === read) return;
  // Another service may have none of the projects, so that each of them would look removed.
  throw couldNotLook(
    `${title} has recorded the service at ${displayText(recorded, 200)}, but the settings name ${displayText(read, 200)}. Check baseUrl and connection. If the service has moved, record it with pulumi up --refresh=false.`,
  );
}

/** Whether `ignoreChanges` leaves out a whole project. */
function isLeftOut({ type, ignored }: RecordedSnapshot, id: string): boolean {
  const property = type === "ProjectSnapshot" ? ["*"] : ["projects", id];
  return ignored.some((path) => isIgnored(path, property));
}

/** The recorded projects by their ids, as the state has them. One that was inaccessible has the `code` of its error. */
type Records = ReadonlyMap<string, JsonObject>;

function recordsIn({ type, before }: RecordedSnapshot, inputs: JsonObject): Records {
  // The inputs of a ProjectSnapshot are the fields of its project, which may have another id now.
  if (type === "ProjectSnapshot") return new Map([[String(before["projectId"]), inputs]]);
  const { projects = {}, inaccessible = [] } = inputs as {
    projects?: Readonly<Record<string, JsonObject>>;
    inaccessible?: readonly InaccessibleProject[];
  };
  return new Map([
    ...Object.entries(projects),
    ...inaccessible.map((each) => [each.projectId, { code: each.code }] as const),
  ]);
}

function isReadable(record: JsonObject | undefined): boolean {
  return record !== undefined && !("code" in record);
}

function readableIn(records: Records): string[] {
  return [...records.keys()].filter((id) => isReadable(records.get(id))).sort();
}

/** Compares two records of a project. At least one of them exists. */
function compareRecords(
  type: PreviewedSnapshot["type"],
  id: string,
  recorded: JsonObject | undefined,
  read: JsonObject | undefined,
  isCompared: ReturnType<typeof recordedIn>,
): DriftChange[] {
  if (isDeepStrictEqual(recorded, read)) return [];
  const [was, is] = [recorded, read].map((record) =>
    type === "ProjectsSnapshot" && isReadable(record) ? { ...readRecord(id, record) } : record,
  );
  const identity = identityOf(id, was?.["name"] === undefined ? is : was);
  const [before, after] = [was?.["code"], is?.["code"]];
  const whole = { ...identity, field: "projects", before };
  if (is === undefined) return [{ ...whole, change: "removed" }];
  if (after !== undefined) {
    return after === before ? [] : [{ ...whole, change: "inaccessible", after }];
  }
  if (was === undefined || before !== undefined) return [{ ...whole, change: "added" }];
  return compareProjects(was, is, isCompared).map((change) => ({ ...identity, ...change }));
}

function identityOf(projectId: string, project: JsonObject | undefined) {
  return { projectId, name: project?.["name"] as string | undefined };
}

/**
 * Returns whether both records contain a field: the argument `fields` can leave it out, and an older version of
 * this package did not know it. The entries of `missingFields` depend on both.
 */
function recordedIn({ before, after }: RecordedSnapshot) {
  const isSameScope = isDeepStrictEqual(before["fields"], after["fields"]);
  const scopes = [before, after].map(({ fields }) => recordedPaths(fields as readonly string[]));
  const version = Number(before["fieldsVersion"] ?? 1);
  return (path: string, field: Field) => {
    if (field.kind === "missingFields") return isSameScope && version === fieldsVersion;
    return (field.since ?? 1) <= version && scopes.every((paths) => paths.has(path));
  };
}

/** Returns a sentence for each argument of a snapshot that the program changes. */
function programChangesOf(snapshot: RecordedSnapshot): string[] {
  const { before, after } = snapshot;
  return Object.keys({ ...before, ...after })
    .filter((key) => !resultKeys.has(key) && !isDeepStrictEqual(before[key], after[key]))
    .map(
      (key) => `${titleOf(snapshot)}: ${displayText(key)} ${valuesText(before[key], after[key])}`,
    );
}
