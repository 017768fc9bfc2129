/*
 * Decides what became of recorded projects that a new record lacks. Pulumi deletes what a program no longer makes. So
 * absence has two witnesses: the new record, for which a complete list was read, and the project's own read.
 */
import { ProjectServiceError } from "../errors/projectServiceError.js";
import type { InaccessibleProject } from "../model/project.js";
import { compileFilters, type ProjectFilter } from "../model/projectFilter.js";
import type { ProjectService } from "./projectService.js";
import { isInaccessible, readById } from "./readEach.js";

/** Why a project leaves the record. */
export type Absence = "deleted" | "no longer matching";

export interface MissingProjects {
  /** The recorded projects that a new record lacks. */
  readonly ids: readonly string[];
  /** Whether the new record has another recorded project. Without others, the account must do. */
  readonly isKnownService: boolean;
  /** The filters of the new record. */
  readonly filters?: readonly ProjectFilter[] | undefined;
  readonly onInaccessible?: "fail" | "keep" | undefined;
}

/** What the project's own read says: whether it matches the filters, or an error. */
type OwnRead = "matching" | "not matching" | ProjectServiceError;

/** What became of missing projects. */
export interface Explained {
  readonly absences: ReadonlyMap<string, Absence>;
  /** Those that keep their record, because they cannot be read. */
  readonly inaccessible: readonly InaccessibleProject[];
  /** Says for each project that may still exist why. If there is one, the record must stay as it is. */
  readonly doubts: readonly string[];
}

/** Finds out why projects are missing. */
export async function explainAbsence(
  service: ProjectService,
  missing: MissingProjects,
): Promise<Explained> {
  const { ids, isKnownService, filters = [], onInaccessible } = missing;
  const compiled = compileFilters(filters);
  const readAlone = async (id: string): Promise<OwnRead> => {
    try {
      const { isSelected } = await service.readFresh(id);
      return isSelected(compiled, true) ? "matching" : "not matching";
    } catch (error) {
      if (isAboutProject(error)) return error;
      throw error;
    }
  };
  const readTwice = async (id: string): Promise<OwnRead> => {
    const read = await readAlone(id);
    // Behind a balancer, one server can lack a project that another one has.
    return isNotFound(read) ? readAlone(id) : read;
  };
  const reads = await readById(ids, readTwice, service.concurrency);
  // A missing project that can be read shows that this is the service of the record.
  const isKnownHere =
    isKnownService || [...reads.values()].some((read) => typeof read === "string");
  const absences = new Map<string, Absence>();
  const inaccessible: InaccessibleProject[] = [];
  const doubts: string[] = [];
  const listed = filters.length === 0 ? "not listed" : "not listed, or not matching there";
  for (const [id, read] of reads) {
    if (read === "not matching") absences.set(id, "no longer matching");
    else if (isNotFound(read) && isKnownHere) absences.set(id, "deleted");
    else if (isInaccessible(read) && onInaccessible === "keep") {
      inaccessible.push({ projectId: id, code: read.code });
    } else doubts.push(`${id} (${listed}; its own read returns ${doubtOf(read)})`);
  }
  return { absences, inaccessible, doubts };
}

function doubtOf(read: OwnRead): string {
  if (typeof read === "string") return "it";
  const { code, status = 0 } = read;
  if (isNotFound(read)) return "404, as that of every recorded project";
  if (code !== "RESPONSE_INVALID") return `${status}`;
  if (isInaccessible(read)) return "invalid fields";
  return [403, 404].includes(status) ? `${status} with a page of a gateway` : `${status}`;
}

export function isNotFound(read: unknown): boolean {
  return isInaccessible(read) && read.code === "NOT_FOUND";
}

/** Whether an error says something about one project only. With 400, the service may refuse every read. */
function isAboutProject(error: unknown): error is ProjectServiceError {
  if (isInaccessible(error)) return true;
  if (!(error instanceof ProjectServiceError)) return false;
  const { code, status = 0 } = error;
  return code === "RESPONSE_INVALID" && status > 400 && status < 500;
}
