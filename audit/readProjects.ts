import { ProjectServiceError } from "../provider/errors.js";
import type { InaccessibleProject, Project } from "../provider/project.js";
import type { ProjectService } from "../provider/projectService.js";
import type { ProgressListener } from "../provider/readEach.js";
import { listed } from "../provider/shown.js";
import { withoutCredentials } from "../sdk/seal.js";

/**
 * Reads every project of the service in full, without credentials.
 *
 * @param onProgress told after each project how many of how many are done.
 * @returns all of them, in the order of the service.
 * @throws ProjectServiceError `FORBIDDEN` or `NOT_FOUND`, which names all projects of the list that
 *   cannot be read, and as getProjects.
 */
export async function readProjects(
  service: ProjectService,
  onProgress: ProgressListener | undefined,
): Promise<Project[]> {
  const { projects, inaccessible } = await service.readProjects([], withoutCredentials, {
    onInaccessible: "skip",
    onProgress,
  });
  const [first] = inaccessible;
  if (first !== undefined) {
    throw unreadable(first, inaccessible, projects.length + inaccessible.length);
  }
  return projects;
}

function unreadable(
  { code }: InaccessibleProject,
  inaccessible: readonly InaccessibleProject[],
  total: number,
): ProjectServiceError {
  const ids = (wanted: InaccessibleProject["code"]) =>
    listed(inaccessible.filter((each) => each.code === wanted).map(({ projectId }) => projectId));
  const [forbidden, gone] = [ids("FORBIDDEN"), ids("NOT_FOUND")];
  return new ProjectServiceError(
    code,
    `${inaccessible.length} of ${total} projects cannot be read, so that nothing is said of any.` +
      (forbidden === "" ? "" : ` The user has no access to ${forbidden}: ask for it.`) +
      (gone === "" ? "" : ` Listed but not there: ${gone}. Try again.`),
  );
}
