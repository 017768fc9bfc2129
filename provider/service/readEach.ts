import { ProjectServiceError } from "../errors/projectServiceError.js";
import type { InaccessibleProject } from "../model/project.js";
import { minRow } from "./gate.js";

export interface ReadEachOptions {
  readonly concurrency: number;
  /**
   * Whether a project that cannot be read fails the call, or is added to `inaccessible`. `report` is for an audit,
   * which deletes nothing: it also adds a project whose read ends with 500, unless many do so in a row.
   */
  readonly onInaccessible: "fail" | "skip" | "report";
  /** Called before the first project and after each one. */
  readonly onProgress?: ((read: number, total: number) => void) | undefined;
}

/** A project whose response has the right id and breaks the contract. Other projects can be read all the same. */
export class BrokenProjectError extends ProjectServiceError {}

/**
 * Reads several projects at the same time, and returns the results in the order of the ids.
 *
 * Fails with the first error in that order, also if every project is inaccessible. Once a failure is known, no further
 * read starts, and the running reads are awaited: an earlier one may fail too, and nothing is requested after the end.
 *
 * @param read gets a response, and returns the function that makes the result from it, or undefined to leave the
 *   project out. That function runs when the next read has started, so that the service works meanwhile.
 */
export async function readEach<P>(
  projectIds: readonly string[],
  read: (projectId: string) => Promise<() => P | undefined>,
  { concurrency, onInaccessible, onProgress }: ReadEachOptions,
): Promise<{ projects: P[]; inaccessible: InaccessibleProject[] }> {
  const total = projectIds.length;
  const projects = new Array<P | undefined>(total);
  // By the index of the project, with holes.
  const skipped: Inaccessible[] = [];
  const failures: unknown[] = [];
  let started = 0;
  let ended = 0;
  let errorsInRow = 0;

  function canSkip(error: unknown): error is Inaccessible {
    if (onInaccessible === "report" && (error as ProjectServiceError).status === 500) {
      return ++errorsInRow < Math.max(minRow, concurrency);
    }
    return onInaccessible !== "fail" && isInaccessible(error);
  }

  function finish(index: number, result: () => P | undefined): void {
    try {
      projects[index] = result();
      errorsInRow = 0;
    } catch (error) {
      if (canSkip(error)) skipped[index] = error;
      else failures[index] = error;
    }
    onProgress?.(++ended, total);
  }

  async function work(): Promise<void> {
    while (started < total && failures.length === 0) {
      const index = started++;
      try {
        setImmediate(finish, index, await read(projectIds[index] as string));
      } catch (error) {
        finish(index, () => {
          throw error;
        });
      }
    }
  }

  onProgress?.(0, total);
  await Promise.all(Array.from({ length: Math.min(concurrency, total) }, work));
  await new Promise(setImmediate); // runs when all results were made
  const isNoneRead = Object.keys(skipped).length === total;
  const errors = Object.values(isNoneRead ? skipped : failures);
  if (errors.length > 0) throw withCounts(errors[0], errors.length, total, started);
  return {
    projects: projects.filter((project) => project !== undefined),
    inaccessible: skipped.flatMap(({ code }, index) => ({
      projectId: projectIds[index] as string,
      code,
    })),
  };
}

type Inaccessible = ProjectServiceError & { readonly code: InaccessibleProject["code"] };

/** Whether an error concerns one project, so that others can be read all the same. */
export function isInaccessible(error: unknown): error is Inaccessible {
  if (!(error instanceof ProjectServiceError)) return false;
  return ["FORBIDDEN", "NOT_FOUND"].includes(error.code) || error instanceof BrokenProjectError;
}

function withCounts(error: unknown, failed: number, total: number, started: number): unknown {
  if (!(error instanceof ProjectServiceError)) return error;
  const advice =
    isInaccessible(error) && failed < total
      ? ' To skip such projects, pass onInaccessible: "skip". The result then lists them in inaccessible, and Pulumi deletes what the program made for them.'
      : "";
  return new ProjectServiceError(
    error.code,
    `${error.message} ${failed} of ${total} projects failed, and ${total - started} were not read. This is the error of the first.${advice}`,
    error,
  );
}
