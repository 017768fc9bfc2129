/*
 * Decides what became of recorded projects that a new record lacks. Pulumi deletes what a program no longer makes. So
 * absence has two witnesses: the new record, for which a complete list was read, and the project's own read.
 */
import { displayList, displayShare } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import { withOpenText } from "../errors/withoutArguments.js";
import type { InaccessibleProject } from "../model/project.js";
import { compileFilters, type ProjectFilter } from "../model/projectFilter.js";
import type { ProjectService } from "./projectService.js";
import { isInaccessible, readById } from "./readEach.js";

/** Recorded projects are missing, and they may still exist. The record stays as it is. */
export class UnprovenAbsenceError extends ProjectServiceError {}

/** Why a project leaves the record, or the code of the error with which it stays there. */
export type Absence = "deleted" | "no longer matching" | InaccessibleProject["code"];

export interface MissingProjects {
  /** The recorded projects that a new record lacks. */
  readonly ids: readonly string[];
  /** How many projects are recorded. */
  readonly recorded: number;
  /** Whether another recorded project is in the new record. Also true if no other one is recorded. */
  readonly hasOthers: boolean;
  /** The filters of the new record. */
  readonly filters?: readonly ProjectFilter[] | undefined;
  readonly onInaccessible?: "fail" | "keep" | undefined;
}

/** What the project's own read says: whether it matches the filters, or an error. */
export type OwnRead = "matching" | "not matching" | ProjectServiceError;

/**
 * Returns for each missing project why it is missing.
 *
 * @throws UnprovenAbsenceError `LIST_INCOMPLETE`, which says of each project what was seen, if one of them may still exist.
 */
export async function explainAbsence(
  service: ProjectService,
  missing: MissingProjects,
): Promise<ReadonlyMap<string, Absence>> {
  const { ids, hasOthers, filters = [], onInaccessible } = missing;
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
  const isKnownHere = hasOthers || [...reads.values()].some((read) => typeof read === "string");
  const absences = new Map<string, Absence>();
  const doubts: string[] = [];
  const listed = filters.length === 0 ? "not listed" : "not listed, or not matching there";
  for (const [id, read] of reads) {
    const decision = decideAbsence(read, isKnownHere, onInaccessible === "keep");
    if ("absence" in decision) absences.set(id, decision.absence);
    else doubts.push(`${id} (${listed}; its own read returns ${decision.doubt})`);
  }
  if (doubts.length > 0) throw unproven(missing, doubts);
  return absences;
}

/** The rule, for a project that the new record lacks. */
export function decideAbsence(
  read: OwnRead,
  isKnownHere: boolean,
  keepsInaccessible: boolean,
): { absence: Absence } | { doubt: string } {
  if (read === "not matching") return { absence: "no longer matching" };
  if (read === "matching") return { doubt: "it" };
  if (isNotFound(read) && isKnownHere) return { absence: "deleted" };
  if (isInaccessible(read)) {
    if (keepsInaccessible) return { absence: read.code };
    if (read.code === "NOT_FOUND") return { doubt: "404, as that of every recorded project" };
    if (read.code === "RESPONSE_INVALID") return { doubt: "invalid fields" };
  }
  const { code, status = 0 } = read;
  const isPage = code === "RESPONSE_INVALID" && [403, 404].includes(status);
  return { doubt: `${status}${isPage ? " with a page of a gateway" : ""}` };
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

function unproven({ recorded }: MissingProjects, doubts: readonly string[]): ProjectServiceError {
  const are = doubts.length === 1 ? "is" : "are";
  const text = (named: string) =>
    `${displayShare(doubts.length, recorded, "recorded project")} ${are} missing, and may still exist${named}. Check baseUrl and any proxy in between, and try again.`;
  const named = text(`: ${displayList(doubts, 20, 200)}`);
  return withOpenText(new UnprovenAbsenceError("LIST_INCOMPLETE", named), text(""));
}
