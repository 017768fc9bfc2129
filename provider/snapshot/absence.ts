/*
 * The rule of absence. Pulumi deletes what a program no longer makes. So presence is read, and absence has two witnesses:
 * a complete list, and the project's own read.
 */
import { isDeepStrictEqual } from "node:util";
import { displayCount, displayList, displayShare, displayText } from "../errors/displayText.js";
import { codeAndStatus, ProjectServiceError } from "../errors/projectServiceError.js";
import { compareValues, withSortedKeys } from "../model/compareValues.js";
import type { Project } from "../model/project.js";
import { type CompiledFilter, compileFilters } from "../model/projectFilter.js";
import type { ProjectService } from "../reading/projectService.js";
import { isInaccessible, readById } from "../reading/readEach.js";
import { unknownValue } from "../wire/pulumiSafeJson.js";
import { parseRecordText, projectsIn, readRecord, type RecordedProperties } from "./record.js";

/** Why a project leaves the record, or counts as if it did. */
export type Absence = "deleted" | "no longer matching" | "no environments";

/** A record that may replace the earlier one. */
export interface NewRecord {
  readonly record: RecordedProperties;
  readonly leaving: ReadonlyMap<string, Absence>;
}

/** Returns what a new record lacks of an earlier one, or undefined if it lacks nothing, or is not known yet. */
export function findMissing(recorded: RecordedProperties, read: RecordedProperties) {
  if ([recorded, read].some((each) => Object.values(each).includes(unknownValue))) return undefined;
  const [before, after] = [projectsIn(recorded), projectsIn(read)];
  // Another name in the program is another project.
  const isOther = recorded.projects === undefined && after.size > 0 && recorded.name !== read.name;
  const projects = isOther ? [] : [...before.keys()].filter((id) => !after.has(id));
  const parts: string[] = [];
  const emptied: string[] = [];
  for (const [id, record] of before) {
    const now = after.get(id);
    if (now === undefined || isDeepStrictEqual(now, record)) continue;
    const [was, is] = [readRecord(id, record), readRecord(id, now)];
    const paths = missingParts(was, is);
    if (paths.length > 0) parts.push(`${id} (${paths.join(", ")})`);
    else if (was.environments?.length && is.environments?.length === 0) emptied.push(id);
  }
  const isComplete = projects.length + parts.length + emptied.length === 0;
  return isComplete ? undefined : { count: before.size, projects, parts, emptied };
}

/** Parts of a project or an environment, with the flag of the project that can say that it has none. */
const partFlags: Readonly<Record<string, "hasCode" | "hasDatabases" | "hasAssets" | undefined>> = {
  codeRepository: "hasCode",
  environments: undefined,
  databases: "hasDatabases",
  assetGroups: "hasAssets",
  symLinks: "hasAssets",
};

/** Returns the paths of recorded parts that the response omits, although no flag says that there are none. */
function missingParts(before: Project, after: Project): string[] {
  const missingIn = (was: object, is: { readonly missingFields?: readonly string[] } | undefined) =>
    Object.entries(partFlags).flatMap(([part, flag]) => {
      const had = Object.keys((was as Record<string, object | undefined>)[part] ?? {}).length > 0;
      const isOmitted = is?.missingFields?.includes(part) === true;
      return had && isOmitted && (flag === undefined || after[flag] !== false) ? [part] : [];
    });
  const inEnvironments = (before.environments ?? []).flatMap((was) => {
    const { environmentId } = was;
    const is = after.environments?.find((each) => each.environmentId === environmentId);
    return missingIn(was, is).map((part) => `environments[${environmentId}].${part}`);
  });
  return [...missingIn(before, after), ...inEnvironments];
}

/**
 * Applies the rule to a new record. With `onInaccessible: "keep"`, projects that cannot be read keep their record.
 *
 * @throws ProjectServiceError `LIST_INCOMPLETE` if a missing project may still exist, `RESPONSE_INVALID` if a project lacks
 *   parts, and `SETTINGS_INVALID` if another user recorded what is missing.
 */
export async function applyAbsence(
  service: ProjectService,
  recorded: RecordedProperties,
  read: RecordedProperties,
): Promise<NewRecord> {
  const leaving = new Map<string, Absence>();
  const missing = findMissing(recorded, read);
  if (missing === undefined) return { record: read, leaving };
  const { count, projects, parts, emptied } = missing;
  const refused = (code: ProjectServiceError["code"], reason: string) => {
    const type = recorded.projects === undefined ? "ProjectSnapshot" : "ProjectsSnapshot";
    const message = `${reason} If all this is really gone, run pulumi up --refresh=false --replace '**${type}::<name>'. Pulumi then deletes the resources that the program created for everything that is missing or cannot be read.`;
    return new ProjectServiceError(code, message);
  };

  const inaccessible = [...(read.inaccessible ?? [])];
  const inaccessibleIds = new Set(inaccessible.map(({ projectId }) => projectId));
  const ids = projects.filter((id) => !inaccessibleIds.has(id));
  const lacking = [...ids, ...parts, ...emptied.map((id) => `${id} (environments)`)];
  if (lacking.length > 0 && recorded.account !== service.account) {
    throw refused(
      "SETTINGS_INVALID",
      `Missing projects or parts of them: ${displayList(lacking, 20, 200)}. They were recorded from ${displayText(recorded.service ?? "", 200)}, with another address, user, realm, client or scope. Restore those settings, or give this user the same access. The command check shows where each setting was found.`,
    );
  }
  if (parts.length > 0) {
    throw refused(
      "RESPONSE_INVALID",
      `The service omits parts of ${displayCount(parts.length, "recorded project")}, or returns null for them: ${displayList(parts, 20, 200)}. Check any proxies, and try again. If the program does not use these parts, you can leave them out with the argument fields.`,
    );
  }

  // Another project that has the name of a ProjectSnapshot now replaces it only if the recorded one has lost the name.
  const filters = compileFilters(
    read.projectId === undefined
      ? (read.filters ?? [])
      : [{ key: "name", values: [String(read.name)] }],
  );
  const reads = await readById(ids, (id) => readAlone(service, id, filters), service.concurrency);
  // The new record does not show what the list has: filters leave out projects.
  const listed = [...reads.values()].some(isNotFound) ? await service.list() : [];
  const listedIds = new Set(listed.map(({ projectId }) => projectId));
  // One recorded project that exists shows that this is the service of the record.
  const isKnownService =
    count === 1 ||
    projects.length < count ||
    [...reads.values()].some((each) => typeof each === "string");
  const doubts: string[] = [];
  for (const [id, seen] of reads) {
    if (seen === "not matching") leaving.set(id, "no longer matching");
    else if (isNotFound(seen) && isKnownService && !listedIds.has(id)) leaving.set(id, "deleted");
    else if (isInaccessible(seen) && read.onInaccessible === "keep") {
      inaccessible.push({ projectId: id, code: seen.code });
    } else {
      const result = typeof seen === "string" ? "succeeds" : `returns ${codeAndStatus(seen)}`;
      const doubt = listedIds.has(id)
        ? ", although it is listed"
        : ", and no recorded project can be read";
      doubts.push(`${id} (its own read ${result}${isNotFound(seen) ? doubt : ""})`);
    }
  }
  if (doubts.length > 0) {
    throw refused(
      "LIST_INCOMPLETE",
      `The new record lacks ${displayShare(doubts.length, count, "recorded project")}, which may still exist: ${displayList(doubts, 20, 200)}. Check baseUrl and any proxies, and try again.`,
    );
  }
  for (const id of emptied) leaving.set(id, "no environments");
  const kept = projects.filter((id) => !leaving.has(id));
  if (kept.length === 0) return { record: read, leaving };
  const record = {
    ...read,
    // The present user did not read the kept projects.
    account: recorded.account,
    projects: { ...read.projects, ...pickKeys(recorded.projects, kept) },
    inaccessible: inaccessible.sort((a, b) => compareValues(a.projectId, b.projectId)),
    credentials: keptCredentials(recorded.credentials, read.credentials, kept),
  };
  return { record, leaving };
}

/** What the project's own read says: whether it matches the filters, or an error. */
type OwnRead = "matching" | "not matching" | ProjectServiceError;

async function readAlone(
  service: ProjectService,
  id: string,
  filters: readonly CompiledFilter[],
  isFirst = true,
): Promise<OwnRead> {
  try {
    const { isSelected } = await service.readFresh(id);
    return isSelected(filters, true) ? "matching" : "not matching";
  } catch (error) {
    // Behind a balancer, one server can lack a project that another one has.
    if (isFirst && isNotFound(error)) return readAlone(service, id, filters, false);
    if (isInaccessible(error)) return error;
    // With 400, the service may refuse every read.
    const isOurs = error instanceof ProjectServiceError && error.status !== 400;
    if (isOurs && error.code === "RESPONSE_INVALID") return error;
    throw error;
  }
}

export function isNotFound(read: unknown): boolean {
  return isInaccessible(read) && read.code === "NOT_FOUND";
}

/**
 * Says which projects leave a record.
 *
 * @throws ProjectServiceError `LIST_INCOMPLETE` if they are too many.
 */
export function acceptRemovals(
  recorded: RecordedProperties,
  { record, leaving }: NewRecord,
  warn: (share: string, names: readonly string[]) => void,
): void {
  const names = [...leaving].map(([projectId, why]) => `${projectId} (${why})`);
  if (names.length === 0) return;
  const count = projectsIn(recorded).size;
  const share = displayShare(names.length, count, "recorded project");
  if (names.length <= (record.maxRemovals ?? Math.max(3, count / 20))) {
    warn(`${share} will leave the record or lose all environments`, names);
    return;
  }
  throw new ProjectServiceError(
    "LIST_INCOMPLETE",
    `${share} would leave the record or lose all environments at once: ${displayList(names)}. Check the filters, the user and the service. If this is right, pass maxRemovals: ${names.length} to the ProjectsSnapshot for one pulumi up --refresh=false, because a refresh uses the recorded number. Pulumi then deletes the resources that the program created for them.`,
  );
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
