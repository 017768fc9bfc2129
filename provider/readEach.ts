import { ProjectServiceError } from "./errors.js";
import type { InaccessibleProject } from "./project.js";

/** Told after each project how many are done, of how many. Must not throw. */
export type ProgressListener = (done: number, total: number) => void;

export interface ReadEachOptions {
  /** Projects that are read at a time. */
  readonly concurrency: number;
  /** What a 403 or 404 of one project means: the end, or an entry in `inaccessible`. */
  readonly onInaccessible: "fail" | "skip";
  readonly onProgress?: ProgressListener | undefined;
}

/**
 * Reads projects, so many at a time, and gives what came of them in the order of their ids.
 *
 * Fails with the first error in that order. Once one has failed no other is begun, and those that
 * are under way are waited for: an earlier one may fail too, and after the end nothing is asked.
 *
 * @param read what becomes of a project; undefined is left out of the result.
 */
export async function readEach<P>(
  projectIds: readonly string[],
  read: (projectId: string) => Promise<P | undefined>,
  { concurrency, onInaccessible, onProgress }: ReadEachOptions,
): Promise<{ projects: P[]; inaccessible: InaccessibleProject[] }> {
  const total = projectIds.length;
  const projects = new Array<P | undefined>(total);
  const inaccessible: (InaccessibleProject | undefined)[] = [];
  const failures: { readonly index: number; readonly error: unknown }[] = [];
  let begun = 0;
  let done = 0;

  async function work(): Promise<void> {
    while (begun < total && failures.length === 0) {
      const index = begun++;
      const projectId = projectIds[index] as string;
      try {
        projects[index] = await read(projectId);
      } catch (error) {
        if (onInaccessible === "skip" && isInaccessible(error)) {
          inaccessible[index] = { projectId, code: error.code };
        } else failures.push({ index, error });
      }
      onProgress?.(++done, total);
    }
  }

  await Promise.all(Array.from({ length: Math.min(concurrency, total) }, work));
  const [first] = failures.sort((a, b) => a.index - b.index);
  if (first !== undefined) throw withCounts(first.error, failures.length, total, begun);
  return {
    projects: projects.filter((project) => project !== undefined),
    inaccessible: inaccessible.filter((project) => project !== undefined),
  };
}

function isInaccessible(
  error: unknown,
): error is ProjectServiceError & { code: InaccessibleProject["code"] } {
  return (
    error instanceof ProjectServiceError &&
    (error.code === "FORBIDDEN" || error.code === "NOT_FOUND")
  );
}

function withCounts(error: unknown, failed: number, total: number, begun: number): unknown {
  if (!(error instanceof ProjectServiceError)) return error;
  const advice = isInaccessible(error)
    ? ' With onInaccessible: "skip" such projects come back in inaccessible, and the others in projects.'
    : "";
  return new ProjectServiceError(
    error.code,
    `${error.message} Of ${total} projects ${failed} failed, this one first, and ${total - begun} were not read any more.${advice}`,
    error,
  );
}
