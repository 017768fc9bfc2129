/* Reads recorded projects again, for a refresh and for drift. A record loses a project only by the rule of findMissing. */
import { isDeepStrictEqual } from "node:util";
import { displayCount, displayList, displayText } from "../errors/displayText.js";
import { InaccessibleProjectError, ProjectServiceError } from "../errors/projectServiceError.js";
import { withOpenText, withoutArguments } from "../errors/withoutArguments.js";
import { compareValues, withSortedKeys } from "../model/compareValues.js";
import type { InaccessibleProject } from "../model/project.js";
import { type Fate, findMissing, UnprovenAbsenceError } from "../service/missingProjects.js";
import type { ProjectService } from "../service/projectService.js";
import type { FoundSettings } from "../settings/foundSettings.js";
import { resolveSettings } from "../settings/resolveSettings.js";
import { checkLostLists, lostLists } from "./lostLists.js";
import {
  leftOutText,
  parseRecordText,
  type RecordedProperties,
  recordProject,
  recordProjects,
  type RecordScope,
} from "./recordProjects.js";

/** The service as one user, and where to report. If an argument may be secret, errors name it, and the caller hides it. */
export interface Reader {
  readonly service: ProjectService;
  readonly warn: (sentence: string) => void;
  readonly onProgress?: (read: number, total: number) => void;
}

/** The record that the service would give now. */
export interface ReadRecord {
  /** Undefined if the project of a ProjectSnapshot was deleted. */
  readonly record: RecordedProperties | undefined;
  /** What became of the recorded projects that the new record lacks. */
  readonly fates: ReadonlyMap<string, Fate>;
}

/** Reads the projects of a record again. */
export type ReadAgain = (
  reader: Reader,
  id: string,
  recorded: RecordedProperties,
) => Promise<ReadRecord>;

export const readProjectAgain: ReadAgain = async (reader, projectId, recorded) => {
  const { service } = reader;
  let record: RecordedProperties | undefined;
  let fates: ReadonlyMap<string, Fate> = new Map();
  try {
    record = await recordProject(service, { projectId }, recorded);
  } catch (error) {
    const isNotFound = error instanceof InaccessibleProjectError && error.code === "NOT_FOUND";
    if (!isNotFound) throw error;
    const ids = [projectId];
    checkAccount(service, recorded, ids);
    fates = await findMissing(service, { ids, missing: ids });
  }
  if (record !== undefined) await checkLostLists(service, lostLists(recorded, record));
  return { record, fates };
};

export const readProjectsAgain: ReadAgain = async (reader, _id, recorded) => {
  const { service, onProgress } = reader;
  const { selected, ...read } = await recordProjects(service, recorded, { onProgress }).catch(
    (error: unknown) => {
      // It is about a value of a filter, which may be secret.
      const isOfFilter = error instanceof ProjectServiceError && error.code === "ARGUMENT_INVALID";
      throw isOfFilter ? withoutArguments(error) : error;
    },
  );
  const { inaccessible } = read;
  if (inaccessible.length > 0) reader.warn(leftOutText(inaccessible, selected, service));
  await checkLostLists(service, lostLists(recorded, read));
  return keepRecorded(reader, recorded, read, recorded);
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
export async function keepRecorded(
  reader: Reader,
  recorded: RecordedProperties,
  read: RecordedProperties,
  scope: RecordScope,
): Promise<{ record: RecordedProperties; fates: ReadonlyMap<string, Fate> }> {
  const missing = missingIds(recorded, read);
  const skipped = read.inaccessible ?? [];
  const skippedIds = idsOf(skipped);
  const unexplained = missing.filter((id) => !skippedIds.has(id));
  let fates: ReadonlyMap<string, Fate> = new Map();
  if (unexplained.length > 0) {
    checkAccount(reader.service, recorded, unexplained);
    fates = await findMissing(reader.service, {
      ids: Object.keys(recorded.projects ?? {}),
      missing: unexplained,
      filters: scope.filters,
      hasNewFilters: !isDeepStrictEqual(scope.filters, recorded.filters),
      keepsInaccessible: scope.onInaccessible === "skip",
    });
  }
  const unreadable = [...fates].flatMap(([projectId, fate]) =>
    fate === "deleted" || fate === "no longer selected" ? [] : [{ projectId, code: fate }],
  );
  if (unreadable.length > 0) {
    const count = Object.keys(recorded.projects ?? {}).length;
    reader.warn(leftOutText(unreadable, count, reader.service));
  }
  const inaccessible = [...skipped, ...unreadable];
  const inaccessibleIds = idsOf(inaccessible);
  const kept = missing.filter((id) => inaccessibleIds.has(id));
  if (kept.length === 0) return { record: read, fates };
  const record = {
    ...read,
    // The user of now has not read all of it.
    account: recorded.account,
    projects: { ...read.projects, ...partOf(recorded.projects, kept) },
    inaccessible: inaccessible.sort((a, b) => compareValues(a.projectId, b.projectId)),
    credentials: keptCredentials(recorded.credentials, read.credentials, kept),
  };
  return { record, fates };
}

/**
 * Opens the service of a record, with the settings that were found.
 *
 * @param folder the folder of the Pulumi project, or one in it.
 * @throws ProjectServiceError `SETTINGS_INVALID`, also if the settings name another service than the record.
 */
export async function openService(
  found: FoundSettings,
  { service: recorded = "an unknown address" }: RecordedProperties,
  areSecret: boolean,
  folder?: string,
): Promise<ProjectService> {
  const { getProjectService } = await import("../service/projectService.js");
  const service = getProjectService(resolveSettings(found, folder)).forArguments(areSecret);
  const { address } = service;
  if (recorded === address) return service;
  // Another service may have none of the projects, so that each of them would look deleted.
  throw new UnprovenAbsenceError(
    "SETTINGS_INVALID",
    `This snapshot was recorded from the service at ${displayText(recorded, 200)}, but the settings name ${displayText(address, 200)}.`,
  );
}

/** What does not exist for one user can exist for another. */
export function checkAccount(
  service: ProjectService,
  { account, inaccessible = [] }: RecordedProperties,
  ids: readonly string[],
): void {
  if (account === service.account) return;
  const kept =
    inaccessible.length === 0 ? "" : " Some projects are inaccessible now: ask for access to them.";
  const text = (missing: string) =>
    `Missing: ${missing}. Another user, realm, client or scope recorded this snapshot, and may have access to more projects.${kept} The command check shows where each setting was found.`;
  const error = new UnprovenAbsenceError("SETTINGS_INVALID", text(displayList(ids)));
  throw withOpenText(error, text(displayCount(ids.length, "recorded project")));
}

function idsOf(projects: readonly InaccessibleProject[]): ReadonlySet<string> {
  return new Set(projects.map(({ projectId }) => projectId));
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
