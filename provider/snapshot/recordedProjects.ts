/* What is recorded, against what the service has now. A record loses a project only by the rule of findMissing. */
import { displayCount, displayList } from "../errors/displayText.js";
import { InaccessibleProjectError } from "../errors/projectServiceError.js";
import { compareValues, withSortedKeys } from "../model/compareValues.js";
import type { InaccessibleProject } from "../model/project.js";
import { findMissing, UnprovenAbsenceError } from "../service/missingProjects.js";
import type { ProjectService } from "../service/projectService.js";
import {
  leftOutText,
  parseRecordText,
  recordProject,
  recordProjects,
  type RecordScope,
} from "./recordProjects.js";

/** The recorded properties that the provider uses. */
export interface RecordedProperties extends RecordScope {
  /** Of a ProjectSnapshot. */
  readonly projectId?: string | undefined;
  /** Of a ProjectsSnapshot. */
  readonly projects?: Readonly<Record<string, unknown>> | undefined;
  readonly inaccessible?: readonly InaccessibleProject[] | undefined;
  readonly service?: string | undefined;
  readonly account?: string | undefined;
  readonly connection?: string | undefined;
  readonly credentials?: unknown;
}

/** Who reads the service. */
export interface Reader {
  readonly service: ProjectService;
  /** Where the user name was found, for messages. */
  readonly userOrigin: string;
  readonly warn: (sentence: string) => void;
}

/** Reads the recorded projects again. Returns undefined if the only one was deleted. */
export type ReadAgain = (
  reader: Reader,
  id: string,
  recorded: RecordedProperties,
) => Promise<RecordedProperties | undefined>;

export const readProjectAgain: ReadAgain = async (reader, projectId, recorded) => {
  const { service } = reader;
  try {
    return await recordProject(service, { projectId }, recorded.includeCredentials ?? false);
  } catch (error) {
    const isNotFound = error instanceof InaccessibleProjectError && error.code === "NOT_FOUND";
    if (!isNotFound) throw error;
    checkAccount(reader, recorded, projectId);
    await findMissing(service, { ids: [projectId], missing: [projectId] });
    return undefined;
  }
};

export const readProjectsAgain: ReadAgain = async (reader, _id, recorded) => {
  const recordedIds = new Set(Object.keys(recorded.projects ?? {}));
  // The engine decrypts the filters, and nothing says which values are secret.
  const options = { isSecret: true, recordedIds };
  const { selected, ...read } = await recordProjects(reader.service, recorded, options);
  if (read.inaccessible.length > 0) {
    reader.warn(leftOutText(read.inaccessible, selected, hidesIds(recorded)));
  }
  const kept = await keepRecorded(reader, recorded, read, recorded);
  const removed = missingIds(recorded, kept).length;
  if (removed > 0) {
    const [some, all] = [removed, recordedIds.size].map((count) => count.toLocaleString("en"));
    reader.warn(`removed ${some} of ${all} projects from the record.`);
  }
  return kept;
};

/** Returns the recorded ids that a new record of a ProjectsSnapshot lacks: none if there is no record, or no known one. */
export function missingIds(recorded: RecordedProperties, read: RecordedProperties): string[] {
  const [before, after] = [recorded.projects, read.projects];
  if (typeof before !== "object" || typeof after !== "object") return [];
  return Object.keys(before).filter((id) => !Object.hasOwn(after, id));
}

/**
 * Applies the rule to what a new record of a ProjectsSnapshot lacks. With `onInaccessible: "skip"`, a project that
 * cannot be read keeps what is recorded of it.
 *
 * @param read the new record.
 * @param scope what the new record is of.
 * @throws ProjectServiceError like `findMissing`, and `SETTINGS_INVALID` if another user recorded the projects.
 */
export async function keepRecorded<R extends RecordedProperties>(
  reader: Reader,
  recorded: RecordedProperties,
  read: R,
  scope: RecordScope,
): Promise<R> {
  const missing = missingIds(recorded, read);
  const codes = new Map(read.inaccessible?.map(({ projectId, code }) => [projectId, code]));
  const unexplained = missing.filter((id) => !codes.has(id));
  if (unexplained.length > 0) {
    const hidden = hidesIds(scope) || hidesIds(recorded);
    const named = displayCount(unexplained.length, "recorded project");
    checkAccount(reader, recorded, hidden ? named : displayList(unexplained));
    const fates = await findMissing(reader.service, {
      ids: Object.keys(recorded.projects ?? {}),
      missing: unexplained,
      filters: scope.filters,
      keepsInaccessible: scope.onInaccessible === "skip",
      hidesIds: hidden,
    });
    for (const [id, fate] of fates) {
      if (fate !== "deleted" && fate !== "no longer selected") codes.set(id, fate);
    }
  }
  const kept = missing.filter((id) => codes.has(id));
  if (kept.length === 0) return read;
  const inaccessible = [...codes].map(([projectId, code]) => ({ projectId, code }));
  return {
    ...read,
    projects: { ...read.projects, ...partOf(recorded.projects, kept) },
    inaccessible: inaccessible.sort((a, b) => compareValues(a.projectId, b.projectId)),
    credentials: keptCredentials(recorded.credentials, read.credentials, kept),
  };
}

/** Filters may be secret, and then these ids are. */
function hidesIds({ filters = [] }: RecordScope): boolean {
  return filters.some(({ key }) => key === "projectId");
}

/** What does not exist for one user can exist for another. */
function checkAccount(
  { service, userOrigin }: Reader,
  { account }: RecordedProperties,
  missing: string,
): void {
  if (account === service.account) return;
  throw new UnprovenAbsenceError(
    "SETTINGS_INVALID",
    `Missing: ${missing}. Another user recorded this snapshot, who may see projects that this one does not see. The name of this user is from ${userOrigin}.`,
  );
}

function partOf(object: object | undefined, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(object ?? {}).filter(([key]) => keys.includes(key)));
}

/** The credentials of a ProjectsSnapshot are one JSON text. */
function keptCredentials(recorded: unknown, read: unknown, ids: readonly string[]): unknown {
  if (typeof recorded !== "string" || typeof read !== "string") return read;
  const what = "The record of the credentials";
  const kept = partOf(parseRecordText(recorded, what), ids);
  return JSON.stringify(withSortedKeys({ ...parseRecordText(read, what), ...kept }));
}
