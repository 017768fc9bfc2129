import { isDeepStrictEqual } from "node:util";
import { displayCount, displayList, displayText } from "../../provider/errors/displayText.js";
import type { InaccessibleProject } from "../../provider/model/project.js";
import { type Field, fieldsVersion } from "../../provider/model/projectFields.js";
import { recordedPaths } from "../../provider/model/selectedFields.js";
import type { Fate } from "../../provider/service/missingProjects.js";
import { isIgnored, isInsideList } from "../../provider/snapshot/ignoredPaths.js";
import {
  type Reader,
  readProjectAgain,
  type ReadRecord,
  readProjectsAgain,
} from "../../provider/snapshot/recordedProjects.js";
import { parseRecordText, readRecord } from "../../provider/snapshot/recordProjects.js";
import { compareProjects, type ProjectChange } from "./compareProjects.js";
import { cannotCheck, type JsonObject, type RecordedSnapshot, titleOf } from "./readState.js";

/** What the service says about a snapshot. */
export interface ComparedSnapshot extends Pick<
  RecordedSnapshot,
  "name" | "type" | "urn" | "modified"
> {
  /** The address of the service. Absent if it is secret. */
  readonly service?: string | undefined;
  /** The recorded projects that were compared, as texts of service and id. */
  readonly projects: readonly string[];
  readonly changes: readonly DriftChange[];
  /** Sentences about what was not compared. */
  readonly notCompared: readonly string[];
}

/** A difference between what is recorded of the service and what it has now. */
export interface DriftChange extends Omit<ProjectChange, "change"> {
  /** Absent for the credentials of several projects, and if an argument of the snapshot is secret. */
  readonly projectId?: string;
  /** The recorded name of the project, or the name of a new one. */
  readonly projectName?: string | undefined;
  /**
   * `before` and `after` of an inaccessible project are the codes of its errors. `after` of a removed one is the id of
   * another project that has its name now.
   */
  readonly change: ProjectChange["change"] | "inaccessible" | "no longer matching";
}

/** The arguments by which a refresh reads. */
const scoping = ["fields", "onInaccessible", "connection"];

/** The properties that say which projects are recorded. If one is secret, no project may be named. */
const identifying = ["projects", "inaccessible", "filters", "service", "name", "projectId"];

/** Whether messages about a snapshot must name no project. */
export function isHidden({ secretKeys }: RecordedSnapshot): boolean {
  return identifying.some((key) => secretKeys.has(key));
}

/** Whether `--ignore-field` names a field, by its path. */
type IsIgnoredField = (path: string) => boolean;

/**
 * Reads the projects of a snapshot again, as a refresh does, and compares them with the record.
 *
 * @throws ProjectServiceError like a refresh.
 */
export async function compareSnapshot(
  snapshot: RecordedSnapshot,
  reader: Reader,
  isIgnoredField: IsIgnoredField,
): Promise<ComparedSnapshot> {
  const encrypted = [...identifying, ...scoping].filter((key) => snapshot.encryptedKeys.has(key));
  if (encrypted.length > 0) throw cannotCheck(`this state encrypts ${encrypted.join(", ")}.`);
  const { type, id, ignored } = snapshot;
  const refused = type === "ProjectSnapshot" ? ignored.find(isInsideList) : undefined;
  if (refused !== undefined) {
    throw cannotCheck(
      `ignoreChanges contains ${displayText(refused, 200)}. The engine identifies elements of a list by position, so the record may have values of another environment.`,
    );
  }
  const recorded = withoutIgnored(snapshot, snapshot.recorded);
  const readAgain = type === "ProjectsSnapshot" ? readProjectsAgain : readProjectAgain;
  const read = await readAgain(reader, id, recorded);
  const compared = compareRecords(snapshot, read, isIgnoredField);
  if (read.record !== undefined || isHidden(snapshot)) return compared;
  // It may have been made anew.
  const successor = (await reader.service.list()).find(({ name }) => name === recorded["name"]);
  const after = successor?.projectId;
  return { ...compared, changes: compared.changes.map((removed) => ({ ...removed, after })) };
}

/** Compares the record of a snapshot with what the service has now. */
export function compareRecords(
  snapshot: RecordedSnapshot,
  { record, fates }: ReadRecord,
  isIgnoredField: IsIgnoredField,
): ComparedSnapshot {
  const { name, type, urn, modified, encryptedKeys, secretKeys, ignored } = snapshot;
  const title = titleOf(snapshot);
  const isFleet = type === "ProjectsSnapshot";
  // Fields are properties of a ProjectSnapshot only.
  const isFieldLeftOut = ([key = "", ...inner]: readonly string[]) =>
    !isFleet && (isIgnoredBy(snapshot, [key, ...inner]) || encryptedKeys.has(key));
  const isProjectLeftOut = !isFleet && isIgnoredBy(snapshot, ["*"]);
  const areCredentialsLeftOut = isIgnoredBy(snapshot, ["credentials"]);
  const recorded = withoutIgnored(snapshot, snapshot.recorded);
  const read = record && withoutIgnored(snapshot, record as JsonObject);
  const [was, is] = [recordsIn(snapshot, recorded), recordsIn(snapshot, read)];
  const isKnown = isInRecord(recorded);
  const isCompared = (path: string, field: Field) =>
    isKnown(path, field) && !isFieldLeftOut(path.split("."));

  const ids = new Set([...was.keys(), ...is.keys()]);
  const changes = [...ids].flatMap((id) =>
    compareProject(snapshot, id, was.get(id), is.get(id), isCompared, fates.get(id)),
  );
  const [before, after] = [recorded["credentials"], read?.["credentials"]];
  if (!areCredentialsLeftOut && haveCredentialsChanged(before, after)) {
    const of = isFleet ? {} : identityOf(snapshot.id, recorded);
    changes.push({ ...of, field: "credentials", change: "changed" });
  }
  const shown = changes.filter(({ field }) => !isIgnoredField(field));
  const compared = [...was.keys()].filter((id) => isReadable(was.get(id)));
  const unread = [...is].flatMap(([id, { code }]) =>
    typeof code === "string" && was.get(id)?.["code"] === code ? `${id} (${code})` : [],
  );
  const named = isHidden(snapshot) ? "" : `: ${displayList(unread)}`;
  const { service } = snapshot.recorded;
  return {
    ...{ name, type, urn, modified },
    service: isHidden(snapshot) ? undefined : service,
    projects: isProjectLeftOut ? [] : compared.map((id) => JSON.stringify([service, id])),
    changes: isHidden(snapshot) ? counted(shown) : withoutSecretValues(shown, secretKeys),
    notCompared: [
      ...(unread.length === 0
        ? []
        : [`${title}: ${displayCount(unread.length, "project")} still cannot be read${named}`]),
      ...ignored.map((path) => `${title} ignores changes of ${displayText(path)}`),
      ...[...encryptedKeys].map((key) => `${title}: this state encrypts ${displayText(key)}`),
    ],
  };
}

function isIgnoredBy({ ignored }: RecordedSnapshot, property: readonly string[]): boolean {
  return ignored.some((path) => isIgnored(path, property));
}

/** Leaves out the projects and environments of a ProjectsSnapshot that `ignoreChanges` names. */
function withoutIgnored<R extends JsonObject>(snapshot: RecordedSnapshot, record: R): R {
  if (snapshot.type === "ProjectSnapshot" || snapshot.ignored.length === 0) return record;
  const kept = (object: unknown, ...place: string[]) =>
    Object.entries((object ?? {}) as JsonObject).filter(
      ([key]) => !isIgnoredBy(snapshot, [...place, key]),
    );
  const projects = kept(record["projects"], "projects").map(([id, each]) => {
    const { environments, ...rest } = each as JsonObject;
    if (environments === undefined) return [id, each];
    const left = Object.fromEntries(kept(environments, "projects", id, "environments"));
    return [id, { ...rest, environments: left }];
  });
  return { ...record, projects: Object.fromEntries(projects) as unknown };
}

/** The recorded projects by their ids. One that is inaccessible has the `code` of its error. */
type Records = ReadonlyMap<string, JsonObject>;

function recordsIn({ type, id }: RecordedSnapshot, record: JsonObject | undefined): Records {
  if (record === undefined) return new Map();
  if (type === "ProjectSnapshot") return new Map([[id, record]]);
  const { projects = {}, inaccessible = [] } = record as {
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

/** Compares two records of a project. At least one of them exists. */
function compareProject(
  { type }: RecordedSnapshot,
  id: string,
  recorded: JsonObject | undefined,
  read: JsonObject | undefined,
  isCompared: (path: string, field: Field) => boolean,
  fate: Fate | undefined,
): DriftChange[] {
  if (isDeepStrictEqual(recorded, read)) return [];
  const [was, is] = [recorded, read].map((record) =>
    type === "ProjectsSnapshot" && isReadable(record) ? { ...readRecord(id, record) } : record,
  );
  const identity = identityOf(id, was?.["name"] === undefined ? is : was);
  const [before, after] = [was?.["code"], is?.["code"]];
  const whole = { ...identity, field: "projects", before };
  if (is === undefined) {
    return [{ ...whole, change: fate === "no longer selected" ? "no longer matching" : "removed" }];
  }
  if (after !== undefined) {
    return after === before ? [] : [{ ...whole, change: "inaccessible", after }];
  }
  if (was === undefined || before !== undefined) return [{ ...whole, change: "added" }];
  return compareProjects(was, is, isCompared).map((change) => ({ ...identity, ...change }));
}

function identityOf(projectId: string, project: JsonObject | undefined) {
  return { projectId, projectName: project?.["name"] as string | undefined };
}

/** Returns whether a record has a field: `fields` can leave it out, and an older version did not know it. */
function isInRecord({ fields, fieldsVersion: recordedVersion }: JsonObject) {
  const paths = recordedPaths(fields as readonly string[] | undefined);
  const version = Number(recordedVersion ?? 1);
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

/** Says only how many projects have changed. The credentials of a ProjectsSnapshot are not one of them. */
function counted(changes: readonly DriftChange[]): DriftChange[] {
  const ids = new Set(changes.flatMap(({ projectId }) => projectId ?? []));
  const ofAll = changes.filter(({ projectId }) => projectId === undefined);
  return [...[...ids].map(() => ({ field: "projects", change: "changed" }) as const), ...ofAll];
}

/** Says of a secret field only that it changed. */
function withoutSecretValues(
  changes: readonly DriftChange[],
  secretKeys: ReadonlySet<string>,
): DriftChange[] {
  const told = new Set<string>();
  return changes.flatMap((change): DriftChange[] => {
    const [key = ""] = change.field.split(".");
    if (!secretKeys.has(key) || key === "credentials") return [change];
    if (told.has(key)) return [];
    told.add(key);
    const { projectId = "", projectName } = change;
    return [{ projectId, projectName, field: key, change: "changed" }];
  });
}
