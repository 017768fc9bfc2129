import { isDeepStrictEqual } from "node:util";
import { displayCount, displayList, displayText } from "../../provider/errors/displayText.js";
import { type Field, fieldsVersion } from "../../provider/model/projectFields.js";
import { recordedPaths } from "../../provider/model/selectedFields.js";
import {
  parseRecordText,
  type ProjectRecord,
  projectsIn,
  readRecord,
  type RecordedProperties,
} from "../../provider/snapshot/record.js";
import type { NewRecord } from "../../provider/snapshot/absence.js";
import { isIgnored } from "../../provider/snapshot/resources.js";
import { compareProjects, type ProjectChange } from "./compareProjects.js";
import { cannotCheck, type JsonObject, type RecordedSnapshot, titleOf } from "./readState.js";

/** What the service says about a snapshot. */
export interface ComparedSnapshot extends Pick<
  RecordedSnapshot,
  "name" | "type" | "urn" | "modified"
> {
  readonly service: string | undefined;
  /** The recorded projects that were compared, as texts of service and id. */
  readonly projects: readonly string[];
  readonly changes: readonly DriftChange[];
  /** Sentences about what was not compared. */
  readonly notCompared: readonly string[];
}

/** A difference between what is recorded of the service and what it has now. */
export interface DriftChange extends Omit<ProjectChange, "change"> {
  /** Absent for the credentials of several projects. */
  readonly projectId?: string;
  /** The recorded name of the project, or the name of a new one. */
  readonly projectName?: string | undefined;
  /** `after` of an inaccessible project is the code of its error. */
  readonly change:
    ProjectChange["change"] | "inaccessible" | typeof regained | "no longer matching";
}

/** The project has a record and can be read again, or it has none and left the list. */
const regained = "no longer inaccessible";

/** Returns what is compared of a snapshot: its record, without what `ignoreChanges` names. Refuses one with other secrets. */
export function comparedRecord(snapshot: RecordedSnapshot): RecordedProperties {
  const { secretKeys, isEncrypted } = snapshot;
  if (secretKeys.length > 0) {
    throw cannotCheck(
      `an argument or additionalSecretOutputs makes these values secret: ${displayList(secretKeys)}.`,
    );
  }
  if (isEncrypted) {
    throw cannotCheck(
      "this state encrypts the credentials. Run drift in the Pulumi project, without --state.",
    );
  }
  return withoutIgnored(snapshot, snapshot.recorded);
}

/** Compares the record of a snapshot with what the service has now. */
export function compareRecords(
  snapshot: RecordedSnapshot,
  { record, leaving }: NewRecord,
): ComparedSnapshot {
  const { name, type, urn, modified, ignored } = snapshot;
  const recorded = withoutIgnored(snapshot, snapshot.recorded);
  const read = withoutIgnored(snapshot, record);
  const [was, is] = [recordsIn(recorded), recordsIn(read)];
  const isRecorded = recordedTest(recorded);
  const changes = [...new Set([...was.keys(), ...is.keys()])].flatMap((id) =>
    compareProject(id, was.get(id), is.get(id), isRecorded, leaving.get(id)),
  );
  const areIgnored = ignored.some((path) => isIgnored(path, ["credentials"]));
  if (!areIgnored && haveCredentialsChanged(recorded.credentials, read.credentials)) {
    const { projectId, name: projectName } = recorded;
    const of = projectId === undefined ? {} : { projectId, projectName };
    changes.push({ ...of, field: "credentials", change: "changed" });
  }
  const title = titleOf(snapshot);
  const notCompared = ignored.map((path) => `${title} ignores changes of ${displayText(path)}`);
  const unread = [...is].flatMap(([id, { code }]) =>
    code !== undefined && was.get(id)?.code === code ? `${id} (${code})` : [],
  );
  if (unread.length > 0) {
    const count = displayCount(unread.length, "project");
    notCompared.push(`${title}: ${count} still cannot be read: ${displayList(unread)}`);
  }
  const { service } = recorded;
  const isCompared = (id: string, { record, code }: ReadResult) =>
    record !== undefined && (code === undefined || is.get(id)?.code === undefined);
  const projects = [...was].flatMap(([id, each]) =>
    isCompared(id, each) ? projectKey(service, id) : [],
  );
  return { name, type, urn, modified, service, projects, changes, notCompared };
}

/** Two services can have projects with the same id. */
export function projectKey(service: string | undefined, id: string): string {
  return JSON.stringify([service, id]);
}

/** Leaves out the projects and environments of a ProjectsSnapshot that `ignoreChanges` names. */
function withoutIgnored(
  { type, ignored }: RecordedSnapshot,
  record: RecordedProperties,
): RecordedProperties {
  if (type === "ProjectSnapshot" || ignored.length === 0) return record;
  const isLeft = (...place: string[]) => !ignored.some((path) => isIgnored(path, place));
  const projects = [...projectsIn(record)].flatMap(([id, each]) => {
    if (!isLeft("projects", id)) return [];
    const { environments, ...rest } = each as Partial<ProjectRecord>;
    if (environments === undefined) return [[id, each]];
    const texts = Object.entries(environments);
    const left = texts.filter(([key]) => isLeft("projects", id, "environments", key));
    return [[id, { ...rest, environments: Object.fromEntries(left) }]];
  });
  return { ...record, projects: Object.fromEntries(projects) as Record<string, unknown> };
}

/** The record of a project, and the code of the error with which it cannot be read. */
interface ReadResult {
  readonly record: unknown;
  readonly code: string | undefined;
}

function recordsIn(recorded: RecordedProperties): ReadonlyMap<string, ReadResult> {
  const { inaccessible = [] } = recorded;
  const records = projectsIn(recorded);
  const codes = new Map(inaccessible.map(({ projectId, code }) => [projectId, code]));
  const ids = new Set([...records.keys(), ...codes.keys()]);
  return new Map([...ids].map((id) => [id, { record: records.get(id), code: codes.get(id) }]));
}

/** Compares two results of a project. At least one of them exists. */
function compareProject(
  projectId: string,
  recorded: ReadResult | undefined,
  read: ReadResult | undefined,
  isRecorded: (path: string, field: Field) => boolean,
  leaving: string | undefined,
): DriftChange[] {
  if (isDeepStrictEqual(recorded, read)) return [];
  const [was, is] = [recorded, read].map((each) =>
    each?.record === undefined ? undefined : readRecord(projectId, each.record),
  );
  const identity = { projectId, projectName: (was ?? is)?.name };
  const [before, after] = [recorded?.code, read?.code];
  const whole = { ...identity, field: "projects" };
  if (read === undefined) {
    if (was === undefined) return [{ ...whole, change: regained }];
    return [{ ...whole, change: leaving === "no longer matching" ? leaving : "removed" }];
  }
  if (after !== undefined) {
    return after === before ? [] : [{ ...whole, change: "inaccessible", after }];
  }
  const access: DriftChange[] = [];
  if (was === undefined) access.push({ ...whole, change: "added" });
  else if (before !== undefined) access.push({ ...whole, change: regained });
  const fields = was && is ? compareProjects(was, is, isRecorded) : [];
  return [...access, ...fields.map((change) => ({ ...identity, ...change }))];
}

/** Returns whether a record has a field: `fields` can leave it out, and an older version did not know it. */
function recordedTest({ fields, includeCredentials, ...recorded }: RecordedProperties) {
  const paths = recordedPaths(fields, includeCredentials);
  const version = Number((recorded as JsonObject)["fieldsVersion"] ?? 1);
  return (path: string, field: Field) => {
    if (field.kind === "missingFields" && version !== fieldsVersion) return false;
    return (field.since ?? 1) <= version && (field.kind === "missingFields" || paths.has(path));
  };
}

/** Compares the credentials of the projects that are in both records. */
function haveCredentialsChanged(recorded: unknown, read: unknown): boolean {
  if (recorded === undefined || read === undefined) return false;
  if (typeof recorded !== "string") {
    // A state has no undefined values, such as that of an absent importRepository.
    return !isDeepStrictEqual(recorded, JSON.parse(JSON.stringify(read)));
  }
  const what = "The record of the credentials";
  const after = new Map(Object.entries(parseRecordText(read, what)));
  return Object.entries(parseRecordText(recorded, what)).some(
    ([id, credentials]) => after.has(id) && !isDeepStrictEqual(credentials, after.get(id)),
  );
}
