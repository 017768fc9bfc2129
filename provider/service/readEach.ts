import { ProjectServiceError } from "../errors/projectServiceError.js";
import type { InaccessibleProject } from "../model/project.js";

export interface ReadEachOptions {
  /** How many projects are read at the same time. */
  readonly concurrency: number;
  /** Whether a 403 or 404 of one project fails the call, or adds the project to `inaccessible`. */
  readonly onInaccessible: "fail" | "skip";
}

/**
 * Reads several projects at the same time, and returns the results in the order of the ids.
 *
 * Fails with the first error in that order. After a failure, no further read starts, and the running
 * reads are awaited: an earlier one may fail too, and nothing is requested after the end.
 *
 * @param read returns the result for a project, or undefined to leave it out.
 */
export async function readEach<P>(
  projectIds: readonly string[],
  read: (projectId: string) => Promise<P | undefined>,
  { concurrency, onInaccessible }: ReadEachOptions,
): Promise<{ projects: P[]; inaccessible: InaccessibleProject[] }> {
  const total = projectIds.length;
  const projects = new Array<P | undefined>(total);
  const inaccessible: (InaccessibleProject | undefined)[] = [];
  const failures: { readonly index: number; readonly error: unknown }[] = [];
  let started = 0;

  async function work(): Promise<void> {
    while (started < total && failures.length === 0) {
      const index = started++;
      const projectId = projectIds[index] as string;
      try {
        projects[index] = await read(projectId);
      } catch (error) {
        if (onInaccessible === "skip" && isInaccessible(error)) {
          inaccessible[index] = { projectId, code: error.code };
        } else failures.push({ index, error });
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(concurrency, total) }, work));
  const [first] = failures.sort((a, b) => a.index - b.index);
  if (first !== undefined) throw withCounts(first.error, failures.length, total, started);
  return {
    projects: projects.filter((project) => project !== undefined),
    inaccessible: inaccessible.filter((project) => project !== undefined),
  };
}

type Inaccessible = ProjectServiceError & { readonly code: InaccessibleProject["code"] };

function isInaccessible(error: unknown): error is Inaccessible {
  if (!(error instanceof ProjectServiceError)) return false;
  return error.code === "FORBIDDEN" || error.code === "NOT_FOUND";
}

function withCounts(error: unknown, failed: number, total: number, started: number): unknown {
  if (!(error instanceof ProjectServiceError)) return error;
  const advice = isInaccessible(error)
    ? ' To skip such projects, pass onInaccessible: "skip". The result then lists them in inaccessible.'
    : "";
  return new ProjectServiceError(
    error.code,
    `${error.message} ${failed} of ${total} projects failed, and ${total - started} were not read. This is the error of the first.${advice}`,
    error,
  );
}
