/* Compares a record with a new one, and reads recorded projects again, for a refresh and for drift. */
import { isDeepStrictEqual } from "node:util";
import { displayCount, displayList, displayShare, displayText } from "../errors/displayText.js";
import {
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../errors/projectServiceError.js";
import { compareValues, withSortedKeys } from "../model/compareValues.js";
import { type Absence, explainAbsence, isNotFound } from "../reading/absence.js";
import type { ProjectService } from "../reading/projectService.js";
import { unknownValue } from "../wire/pulumiSafeJson.js";
import { missingParts } from "./missingParts.js";
import { refusedRecord } from "./providerMessages.js";
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

/** What a new record lacks of an earlier one. `before` and `after` have the records of projects by their ids. */
export interface Difference {
  readonly before: ReadonlyMap<string, unknown>;
  readonly after: ReadonlyMap<string, unknown>;
  /** Projects that are neither in the new record nor inaccessible. */
  readonly missing: readonly string[];
  /** The paths of the parts that projects lack. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
  /** Projects whose environments are all gone. */
  readonly emptied: readonly string[];
}

/** A new record that may replace the earlier one. */
export interface NewRecord {
  readonly record: RecordedProperties;
  /** The projects that leave the record, or lose all environments, and why. */
  readonly leaving: ReadonlyMap<string, Absence | "no environments">;
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
  if (absent.length + parts.size + emptied.length === 0) return undefined;
  const missing = absent.filter((id) => !inaccessible.has(id));
  return { before, after, missing, parts, emptied };
}

/**
 * Applies the rule of absence to a new record, in which recorded projects that cannot be read keep what is recorded.
 *
 * @throws ProjectServiceError `LIST_INCOMPLETE` if a missing project may still exist, `RESPONSE_INVALID` if a project lacks
 *   parts, and `SETTINGS_INVALID` if another user recorded what is missing.
 */
export async function complete(
  { service, warn }: Reader,
  recorded: RecordedProperties,
  read: RecordedProperties,
  { before, after, missing, parts, emptied }: Difference,
): Promise<NewRecord> {
  const isFleet = read.projects !== undefined;
  const unread = (read.inaccessible ?? []).map(({ projectId }) => projectId);
  const refused = (code: ProjectServiceErrorCode, reason: string) => {
    const type = isFleet ? "ProjectsSnapshot" : "ProjectSnapshot";
    const command = `run pulumi up --refresh=false --replace '**${type}::<name>'`;
    const others =
      unread.length === 0 ? "" : `, and for what cannot be read: ${displayList(unread)}`;
    return refusedRecord(code, reason, command, `everything that is missing${others}`);
  };
  const withParts = [...parts].map(([id, paths]) => `${id} (${paths.join(", ")})`);
  const lacking = [...missing, ...withParts, ...emptied.map((id) => `${id} (environments)`)];
  if (lacking.length > 0 && recorded.account !== service.account) {
    const what = `Missing projects or parts of them: ${displayList(lacking, 20, 200)}.`;
    throw refused("SETTINGS_INVALID", `${what} ${otherAccountText(service, recorded)}`);
  }
  if (withParts.length > 0) {
    throw refused(
      "RESPONSE_INVALID",
      `The service omits parts of ${displayCount(parts.size, "recorded project")}, or returns null for them: ${displayList(withParts, 20, 200)}. The projects may still have them. Check any proxy in between, and try again. To record projects without these parts, list the other fields in the argument fields, and run pulumi up --refresh=false.`,
    );
  }
  const [newId] = after.keys();
  const ofName = isFleet || newId === undefined ? undefined : String(read.name);
  const { absences, inaccessible, doubts } = await explainAbsence(service, {
    ids: missing,
    isKnownService: before.size < 2 || [...after.keys()].some((id) => before.has(id)),
    filters: ofName === undefined ? read.filters : [{ key: "name", values: [ofName] }],
    onInaccessible: read.onInaccessible,
  });
  if (doubts.length > 0) {
    const share = displayShare(doubts.length, before.size, "recorded project");
    const are = doubts.length === 1 ? "is" : "are";
    const now =
      ofName === undefined ? "" : ` The name ${displayText(ofName)} leads to ${newId} now.`;
    throw refused(
      "LIST_INCOMPLETE",
      `${share} ${are} missing, and may still exist: ${displayList(doubts, 20, 200)}.${now} Check baseUrl and any proxy in between, and try again.`,
    );
  }
  if (inaccessible.length > 0) warn(inaccessibleText(inaccessible, before.size, service));
  const leaving = new Map<string, Absence | "no environments">(absences);
  for (const id of emptied) leaving.set(id, "no environments");
  const stay = [...before.keys()].filter((id) => !after.has(id) && !absences.has(id));
  // A ProjectSnapshot keeps nothing of another project.
  if (!isFleet || stay.length === 0) return { record: read, leaving };
  const record = {
    ...read,
    // The present user did not read the kept projects.
    account: recorded.account,
    projects: { ...read.projects, ...pickKeys(recorded.projects, stay) },
    inaccessible: [...(read.inaccessible ?? []), ...inaccessible].sort((a, b) =>
      compareValues(a.projectId, b.projectId),
    ),
    credentials: keptCredentials(recorded.credentials, read.credentials, stay),
  };
  return { record, leaving };
}

/** What does not exist for one user, or at one address, can exist for another. */
function otherAccountText(
  { address }: ProjectService,
  { service: recorded = "an unknown address", inaccessible = [] }: RecordedProperties,
): string {
  const who =
    recorded === address
      ? "Another user, realm, client or scope recorded this snapshot, and may have access to more projects."
      : `This snapshot was recorded from the service at ${displayText(recorded, 200)}, but the settings name ${displayText(address, 200)}.`;
  const kept =
    inaccessible.length === 0 ? "" : " Some projects are inaccessible now: ask for access to them.";
  return `${who}${kept} The command check shows where each setting was found.`;
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
  return { record: read, leaving: new Map() };
}

async function rereadProject({ service }: Reader, recorded: RecordedProperties): Promise<object> {
  const { projectId = "" } = recorded;
  try {
    return await recordProject(service, { projectId }, recorded);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const listed = await service.list();
    if (listed.every((each) => each.projectId !== projectId)) return { projectId: undefined };
    throw new ProjectServiceError(
      "LIST_INCOMPLETE",
      `Project ${displayText(projectId)} is listed, but its own read returns 404. Check baseUrl and any proxy in between, and try again.`,
    );
  }
}

async function rereadProjects(
  { service, warn, onProgress }: Reader,
  recorded: RecordedProperties,
): Promise<object> {
  const { record, selected } = await recordProjects(service, recorded, { onProgress });
  const { inaccessible } = record;
  if (inaccessible.length > 0) warn(inaccessibleText(inaccessible, selected, service));
  return record;
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
