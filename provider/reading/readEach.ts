import { displayList, displayNumber, displayShare } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import type { InaccessibleProject } from "../model/project.js";
import { clock } from "../http/clock.js";

export interface ReadEachOptions {
  readonly concurrency: number;
  /** Whether a project that cannot be read fails the call, or is added to `inaccessible`. */
  readonly onInaccessible: "fail" | "skip";
  /** What to do about projects that cannot be read, for the error if only some cannot. */
  readonly advice?: string | undefined;
  /** Called before the first project and after each one. */
  readonly onProgress?: ((read: number, total: number) => void) | undefined;
}

/** After so many projects that cannot be read, the call fails without the others. Its error names these. */
const maxFailures = 20;

/**
 * Reads several projects at the same time, and returns the results in the order of the ids. Fails with the first error in
 * that order, also if every project is inaccessible. After any other failure no further read starts. The running reads
 * are awaited: an earlier one may fail too, and nothing is requested after the end.
 *
 * @param read gets a response, and returns the function that makes the result from it, or undefined to leave the
 *   project out. That function runs when the next read has started, so that the service works meanwhile.
 */
export async function readEach<P>(
  projectIds: readonly string[],
  read: (projectId: string) => Promise<() => P | undefined>,
  { concurrency, onInaccessible, advice, onProgress }: ReadEachOptions,
): Promise<{ projects: P[]; inaccessible: InaccessibleProject[] }> {
  const total = projectIds.length;
  const projects = new Array<P | undefined>(total);
  const skipped: Failed<Inaccessible>[] = [];
  const failures: Failed<unknown>[] = [];
  let started = 0;
  let ended = 0;
  let isOver = false;

  function finish(index: number, result: () => P | undefined): void {
    try {
      projects[index] = result();
    } catch (error) {
      const projectId = projectIds[index] as string;
      if (onInaccessible === "skip" && isInaccessible(error)) {
        skipped.push({ index, projectId, error });
      } else {
        failures.push({ index, projectId, error });
        isOver ||= !isInaccessible(error) || failures.length === maxFailures;
      }
    }
    onProgress?.(++ended, total);
  }

  async function work(): Promise<void> {
    while (started < total && !isOver) {
      const index = started++;
      try {
        clock.setImmediate(finish, index, await read(projectIds[index] as string));
      } catch (error) {
        finish(index, () => {
          throw error;
        });
      }
    }
  }

  onProgress?.(0, total);
  await Promise.all(Array.from({ length: Math.min(concurrency, total) }, work));
  await new Promise(clock.setImmediate); // runs when all results were made
  for (const each of [failures, skipped]) each.sort((a, b) => a.index - b.index);
  if (failures.length > 0 || (total > 0 && skipped.length === total)) {
    const failed: Failed<unknown>[] = [...failures, ...skipped];
    const codeOf = (error: unknown) => (error as Partial<ProjectServiceError>).code ?? "error";
    const ids = failed.map(({ projectId, error }) => `${projectId} (${codeOf(error)})`);
    throw withCounts(failed[0]?.error, ids, total, total - started, advice);
  }
  return {
    projects: projects.filter((project) => project !== undefined),
    inaccessible: skipped.map(({ projectId, error }) => ({ projectId, code: error.code })),
  };
}

/** Reads each project on its own, and returns the results by the ids. Fails with the first error. */
export async function readById<T>(
  projectIds: readonly string[],
  read: (projectId: string) => Promise<T>,
  concurrency: number,
): Promise<ReadonlyMap<string, T>> {
  const readEntry = async (id: string) => {
    const entry = [id, await read(id)] as const;
    return () => entry;
  };
  const options = { concurrency, onInaccessible: "fail" } as const;
  return new Map((await readEach(projectIds, readEntry, options)).projects);
}

interface Failed<E> {
  readonly index: number;
  readonly projectId: string;
  readonly error: E;
}

type Inaccessible = ProjectServiceError & { readonly code: InaccessibleProject["code"] };

/** Whether an error concerns one project, so that others can be read. */
export function isInaccessible(error: unknown): error is Inaccessible {
  return error instanceof ProjectServiceError && error.isOfProject === true;
}

function withCounts(
  error: unknown,
  ids: readonly string[],
  total: number,
  unread: number,
  advice: string | undefined,
): unknown {
  if (!(error instanceof ProjectServiceError) || total === 1) return error;
  const isAdvised = advice !== undefined && isInaccessible(error) && ids.length < total;
  const rest =
    unread === 0 ? "" : `; ${displayNumber(unread)} ${unread === 1 ? "was" : "were"} not read`;
  const counts = `${displayShare(ids.length, total, "project")} failed`;
  const end = `${rest}.${isAdvised ? ` ${advice}` : ""}`;
  const message = `${error.message} ${counts}: ${displayList(ids)}${end}`;
  return new ProjectServiceError(error.code, message, error);
}
