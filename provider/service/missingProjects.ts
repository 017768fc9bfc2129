/*
 * Decides what became of known projects that a response omits. Pulumi would delete them. So presence is
 * read, and absence is proven, by this one rule.
 */
import { displayList, displayShare } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import { withOpenText } from "../errors/withoutArguments.js";
import type { InaccessibleProject, ProjectSummary } from "../model/project.js";
import {
  appliesToListForm,
  compileFilters,
  decide,
  type ProjectFilter,
} from "../model/projectFilter.js";
import { sleep } from "./clock.js";
import type { ProjectService } from "./projectService.js";
import { isInaccessible, readById } from "./readEach.js";

/** Waits before a second look: a server that was started a moment ago may have no data yet. */
export function secondLook(): Promise<void> {
  return sleep(1_000);
}

/** What is known of projects, and what the response was. */
export interface KnownProjects {
  /** All known ids, also those in the response. */
  readonly ids: readonly string[];
  /** The known ids that the response lacks. */
  readonly missing: readonly string[];
  /** The filters of the response. */
  readonly filters?: readonly ProjectFilter[] | undefined;
  /** Whether other filters selected the known projects. Then a value in the list decides. Default false. */
  readonly hasNewFilters?: boolean;
  /** Whether a project that cannot be read may stay as it was. Default false. */
  readonly keepsInaccessible?: boolean;
}

/** Some known projects are missing, and nothing proves that they may be. */
export class UnprovenAbsenceError extends ProjectServiceError {}

/** What became of a project. A code says why it cannot be read, and that it stays as it was. */
export type Fate = "deleted" | "no longer selected" | InaccessibleProject["code"];

/**
 * Finds out what became of missing projects. One was deleted if a complete list omits it and has another known project,
 * and its own read returns 404 three times. One is no longer selected if its values do not match the filters: those of its
 * full form in three reads, or those of the list if the filters are new.
 *
 * @throws UnprovenAbsenceError `LIST_INCOMPLETE` if anything else is true of one of them, with what was seen of each.
 */
export async function findMissing(
  service: ProjectService,
  known: KnownProjects,
): Promise<ReadonlyMap<string, Fate>> {
  const { fates, problems } = await findFates(service, known);
  if (problems.size > 0) throw unproven(known, problems);
  return fates;
}

/** Returns those of the missing projects that are proven deleted. */
export async function findDeleted(
  service: ProjectService,
  known: KnownProjects,
): Promise<ReadonlySet<string>> {
  const { fates } = await findFates(service, known);
  return new Set(known.missing.filter((id) => fates.get(id) === "deleted"));
}

/** Returns what became of the missing projects, and of those for which nothing is proven what was seen of them. */
async function findFates(service: ProjectService, known: KnownProjects) {
  const { missing, filters = [], hasNewFilters = false, keepsInaccessible = false } = known;
  const fates = new Map<string, Fate>();
  const problems = new Map<string, string>();
  if (missing.length === 0) return { fates, problems };

  const first = await listById(service);
  const unclear = missing.filter((id) => {
    const isDeselected = hasNewFilters && isDeselectedInList(filters, first.get(id));
    if (isDeselected) fates.set(id, "no longer selected");
    return !isDeselected;
  });
  const suspects = new Map<string, Seen>();
  for (const [id, seen] of await look(service, unclear, known)) {
    if (seen === "not selected" || (!first.has(id) && isNotFound(seen))) suspects.set(id, seen);
    else judge(id, seen, first.has(id) ? "listed" : "not listed");
  }
  if (suspects.size > 0) {
    await secondLook();
    const ids = [...suspects.keys()];
    const looks = [await look(service, ids, known), await look(service, ids, known)];
    const isAnyDeleted = [...suspects.values()].some(isNotFound);
    const last = isAnyDeleted ? await listById(service) : first;
    for (const [id, before] of suspects) {
      const other = looks.map((each) => each.get(id)).find((seen) => !isSame(seen, before));
      const isDeselected = before === "not selected";
      if (other !== undefined) {
        judge(id, other, isDeselected ? "not matching at first" : "404 at first");
      } else if (isDeselected) fates.set(id, "no longer selected");
      else judgeNotFound(id, last);
    }
  }
  return { fates, problems };

  /** Decides about a project whose reads returned 404. */
  function judgeNotFound(id: string, last: ById): void {
    const doubt = last.has(id)
      ? "404, but listed again"
      : (doubtOf(first, known, id) ?? doubtOf(last, known, id));
    if (doubt === undefined) fates.set(id, "deleted");
    else if (keepsInaccessible) fates.set(id, "NOT_FOUND");
    else problems.set(id, doubt);
  }

  /** Decides about a project for which nothing is proven. */
  function judge(id: string, seen: Seen, before: string): void {
    const connective = before === "listed" ? "and" : "but";
    if (seen === "not selected") problems.set(id, `${before}, but it does not match`);
    else if (seen === "selected") problems.set(id, `${before}, ${connective} it can be read`);
    else if (keepsInaccessible && isInaccessible(seen)) fates.set(id, seen.code);
    else problems.set(id, `${before}, and its read failed: ${reasonOf(seen)}`);
  }
}

type ById = ReadonlyMap<string, Readonly<ProjectSummary>>;
/** Whether a project is selected, or why it cannot be read. */
type Seen = "selected" | "not selected" | ProjectServiceError;

async function listById(service: ProjectService): Promise<ById> {
  const projects = await service.list(true);
  return new Map(projects.map((project) => [project.projectId, project]));
}

function isDeselectedInList(filters: readonly ProjectFilter[], listed?: ProjectSummary): boolean {
  if (listed === undefined) return false;
  return decide(listed, compileFilters(filters.filter(appliesToListForm))) === "not selected";
}

/** Reads projects, each on a connection of its own. A failure that may concern more than one project ends the call. */
async function look(
  service: ProjectService,
  ids: readonly string[],
  { filters = [] }: KnownProjects,
): Promise<ReadonlyMap<string, Seen>> {
  const compiled = compileFilters(filters);
  const see = async (projectId: string): Promise<Seen> => {
    try {
      const { isSelected } = await service.readFresh(projectId);
      return isSelected(compiled, true) ? "selected" : "not selected";
    } catch (error) {
      if (isInaccessible(error) || isRefused(error)) return error;
      throw error;
    }
  };
  return readById(ids, see, service.concurrency);
}

/** Whether the service has refused this read for good, for instance with 410. With 400, it may refuse every read. */
function isRefused(error: unknown): error is ProjectServiceError {
  if (!(error instanceof ProjectServiceError)) return false;
  const { code, status = 0 } = error;
  return code === "RESPONSE_INVALID" && status > 400 && status < 500;
}

function isNotFound(seen: Seen | undefined): boolean {
  return isInaccessible(seen) && seen.code === "NOT_FOUND";
}

function isSame(a: Seen | undefined, b: Seen): boolean {
  return a === b || (isNotFound(a) && isNotFound(b));
}

/** Returns why a list that omits a project proves nothing, if so. */
function doubtOf(list: ById, { ids }: KnownProjects, id: string): string | undefined {
  if (list.size === 0) return "404, but the list is empty";
  if (ids.length < 2 || ids.some((other) => other !== id && list.has(other))) return undefined;
  return "404, but the list has no known project: another user, realm or service?";
}

function reasonOf(error: ProjectServiceError): string {
  const { code, status = 0 } = error;
  if (code === "RESPONSE_INVALID" && isInaccessible(error)) return "invalid fields";
  const isPage = code === "RESPONSE_INVALID" && [403, 404].includes(status);
  return isPage ? `${status}, with a page of a gateway` : `${status}`;
}

function unproven(
  { ids }: KnownProjects,
  problems: ReadonlyMap<string, string>,
): ProjectServiceError {
  const seen = [...problems].map(([id, problem]) => `${id} (${problem})`);
  const are = problems.size === 1 ? "is" : "are";
  const text = (named: string) =>
    `${displayShare(problems.size, ids.length, "known project")} ${are} missing, without proof of deletion${named}. Check baseUrl and any proxy in between, and try again.`;
  const named = text(`: ${displayList(seen, 20, 200)}`);
  return withOpenText(new UnprovenAbsenceError("LIST_INCOMPLETE", named), text(""));
}
