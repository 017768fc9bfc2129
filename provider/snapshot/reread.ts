/* Compares a record with a new one, and reads recorded projects again, for a refresh and for drift. */
import { isDeepStrictEqual } from "node:util";
import { displayCount, displayList, displayText } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import { withOpenText, withoutArguments } from "../errors/withoutArguments.js";
import { compareValues, withSortedKeys } from "../model/compareValues.js";
import {
  type Absence,
  explainAbsence,
  isNotFound,
  UnprovenAbsenceError,
} from "../reading/absence.js";
import type { ProjectService } from "../reading/projectService.js";
import type { FoundSettings } from "../settings/foundSettings.js";
import { resolveSettings } from "../settings/resolveSettings.js";
import { unknownValue } from "../wire/pulumiSafeJson.js";
import { missingParts, partsMissing } from "./missingParts.js";
import { resultKeys } from "./resources.js";
import {
  inaccessibleText,
  parseRecordText,
  projectsIn,
  readRecord,
  type RecordedProperties,
  recordProject,
  recordProjects,
} from "./record.js";

/** The service as one user, and where to report. If an argument may be secret, errors name it, and the caller hides it. */
export interface Reader {
  readonly service: ProjectService;
  readonly warn: (sentence: string) => void;
  readonly onProgress?: (read: number, total: number) => void;
}

/** What a new record lacks of an earlier one. */
export interface Difference {
  /** Projects that are neither in the new record nor inaccessible. */
  readonly missing: readonly string[];
  /** Projects that are inaccessible now, and keep their record. */
  readonly kept: readonly string[];
  /** The paths of the parts that projects lack. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
  /** Projects whose environments are all gone. */
  readonly emptied: readonly string[];
}

/** A new record that may replace the earlier one. */
export interface NewRecord {
  readonly record: RecordedProperties;
  /** Why recorded projects are not in the response. */
  readonly absences: ReadonlyMap<string, Absence>;
  readonly emptied: readonly string[];
}

/** Returns what a new record lacks, or undefined if it lacks nothing, or is not known yet. */
export function differenceOf(
  recorded: RecordedProperties,
  read: RecordedProperties,
): Difference | undefined {
  if ([recorded, read].some((each) => Object.values(each).includes(unknownValue))) return undefined;
  const [before, after] = [projectsIn(recorded), projectsIn(read)];
  // Another name in the program is another project.
  const isOther = recorded.projects === undefined && after.size > 0 && recorded.name !== read.name;
  const absent = isOther ? [] : [...before.keys()].filter((id) => !after.has(id));
  const inaccessible = new Set(read.inaccessible?.map(({ projectId }) => projectId));
  const parts = new Map<string, readonly string[]>();
  const emptied: string[] = [];
  for (const [id, record] of before) {
    const now = after.get(id);
    if (now === undefined || isDeepStrictEqual(now, record)) continue;
    const [was, is] = [readRecord(id, record), readRecord(id, now)];
    const paths = missingParts(was, is);
    if (paths.length > 0) parts.set(id, paths);
    if (was.environments?.length && is.environments?.length === 0) emptied.push(id);
  }
  const missing = absent.filter((id) => !inaccessible.has(id));
  const kept = absent.filter((id) => inaccessible.has(id));
  const isNone = absent.length + parts.size + emptied.length === 0;
  return isNone ? undefined : { missing, kept, parts, emptied };
}

/**
 * Applies the rule of absence to a new record, in which recorded projects that cannot be read keep what is recorded.
 *
 * @throws ProjectServiceError like `explainAbsence`, `RESPONSE_INVALID` if a project lacks parts, and `SETTINGS_INVALID` if
 *   another user recorded what is missing.
 */
export async function complete(
  { service, warn }: Reader,
  recorded: RecordedProperties,
  read: RecordedProperties,
  { missing, kept, parts, emptied }: Difference,
): Promise<NewRecord> {
  if (missing.length + parts.size > 0)
    checkAccount(service, recorded, [...missing, ...parts.keys()]);
  if (parts.size > 0) throw partsMissing(parts);
  const before = projectsIn(recorded);
  const after = projectsIn(read);
  const { name, onInaccessible, inaccessible = [] } = read;
  const isFleet = read.projects !== undefined;
  const absences = await explainAbsence(service, {
    ids: missing,
    recorded: before.size,
    hasOthers: before.size < 2 || [...after.keys()].some((id) => before.has(id)),
    filters: isFleet || after.size === 0 ? read.filters : [{ key: "name", values: [String(name)] }],
    onInaccessible,
  });
  const unreadable = [...absences].flatMap(([projectId, code]) =>
    code === "deleted" || code === "no longer matching" ? [] : [{ projectId, code }],
  );
  if (unreadable.length > 0) warn(inaccessibleText(unreadable, before.size, service));
  const stay = [...kept, ...unreadable.map(({ projectId }) => projectId)];
  if (isFleet && after.size + stay.length === 0) throw nothingLeft(absences);
  if (stay.length === 0) return { record: read, absences, emptied };
  const record = {
    ...read,
    // The present user did not read the kept projects.
    account: recorded.account,
    projects: { ...read.projects, ...pickKeys(recorded.projects, stay) },
    inaccessible: [...inaccessible, ...unreadable].sort((a, b) =>
      compareValues(a.projectId, b.projectId),
    ),
    credentials: keptCredentials(recorded.credentials, read.credentials, stay),
  };
  return { record, absences, emptied };
}

/** Reads the projects of a record again. A ProjectSnapshot whose project was deleted has no `projectId` then. */
export async function reread(reader: Reader, recorded: RecordedProperties): Promise<NewRecord> {
  const result = await (recorded.projectId === undefined ? rereadProjects : rereadProject)(
    reader,
    recorded,
  );
  const { address: service, account } = reader.service;
  // The arguments, and what a transformation or a policy has added.
  const others = Object.entries(recorded).filter(([key]) => !resultKeys.has(key));
  const read = { ...Object.fromEntries(others), ...result, service, account };
  const difference = differenceOf(recorded, read);
  if (difference !== undefined) return complete(reader, recorded, read, difference);
  return { record: read, absences: new Map(), emptied: [] };
}

async function rereadProject({ service }: Reader, recorded: RecordedProperties): Promise<object> {
  const { projectId = "" } = recorded;
  try {
    return await recordProject(service, { projectId }, recorded);
  } catch (error) {
    const isListed = async () =>
      (await service.list()).some((each) => each.projectId === projectId);
    if (!isNotFound(error) || (await isListed())) throw error;
    return { projectId: undefined };
  }
}

async function rereadProjects(
  { service, warn, onProgress }: Reader,
  recorded: RecordedProperties,
): Promise<object> {
  try {
    const {
      listed: _listed,
      selected,
      ...read
    } = await recordProjects(service, recorded, { onProgress });
    const { inaccessible } = read;
    if (inaccessible.length > 0) warn(inaccessibleText(inaccessible, selected, service));
    return read;
  } catch (error) {
    // It is about a value of a filter, which may be secret.
    const isOfFilter = error instanceof ProjectServiceError && error.code === "ARGUMENT_INVALID";
    throw isOfFilter ? withoutArguments(error) : error;
  }
}

/** Opens a service, with the settings that were found in the folder of the Pulumi project, or one in it. */
export async function openService(
  found: FoundSettings,
  areSecret: boolean,
  folder?: string,
): Promise<ProjectService> {
  const { getProjectService } = await import("../reading/projectService.js");
  return getProjectService(resolveSettings(found, folder)).forArguments(areSecret);
}

/** What does not exist for one user, or at one address, can exist for another. */
function checkAccount(
  service: ProjectService,
  { account, service: address = "an unknown address", inaccessible = [] }: RecordedProperties,
  ids: readonly string[],
): void {
  if (account === service.account) return;
  const who =
    address === service.address
      ? "Another user, realm, client or scope recorded this snapshot, and may have access to more projects."
      : `This snapshot was recorded from the service at ${displayText(address, 200)}, but the settings name ${displayText(service.address, 200)}.`;
  const kept =
    inaccessible.length === 0 ? "" : " Some projects are inaccessible now: ask for access to them.";
  const text = (missing: string) =>
    `Missing: ${missing}. ${who}${kept} The command check shows where each setting was found.`;
  const error = new UnprovenAbsenceError("SETTINGS_INVALID", text(displayList(ids)));
  throw withOpenText(error, text(displayCount(ids.length, "recorded project")));
}

function nothingLeft(absences: ReadonlyMap<string, Absence>): ProjectServiceError {
  const text = (named: string) =>
    `No recorded project is left${named}, and a ProjectsSnapshot cannot be empty. Check baseUrl, the user and the filters.`;
  const named = text(`: ${displayList([...absences].map(([id, why]) => `${id} (${why})`))}`);
  return withOpenText(new UnprovenAbsenceError("LIST_INCOMPLETE", named), text(""));
}

function pickKeys(object: object | undefined, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(object ?? {}).filter(([key]) => keys.includes(key)));
}

/** The credentials of a ProjectsSnapshot are one JSON text. */
function keptCredentials(recorded: unknown, read: unknown, ids: readonly string[]): unknown {
  if (typeof recorded !== "string" || typeof read !== "string") return read;
  const what = "The record of the credentials";
  const kept = pickKeys(parseRecordText(recorded, what), ids);
  return JSON.stringify(withSortedKeys({ ...parseRecordText(read, what), ...kept }));
}
