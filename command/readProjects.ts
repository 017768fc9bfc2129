import type { ProjectService } from "../provider/client/projectService.js";
import type { ProgressListener } from "../provider/client/readEach.js";
import { displayList } from "../provider/errors/displayText.js";
import { ProjectServiceError } from "../provider/errors/projectServiceError.js";
import type { InaccessibleProject, Project } from "../provider/model/project.js";
import { withoutCredentials } from "../provider/wire/mapping.js";

/**
 * Reads every project of the service in full form, without credentials.
 *
 * @param onProgress receives the number of projects that are done and the total after each project.
 * @returns all projects, in the order of the service's list.
 * @throws ProjectServiceError `FORBIDDEN` or `NOT_FOUND` if the list contains inaccessible projects.
 *   The message names all of them. Other errors are those of getProjects.
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
    throw inaccessibleProjects(first, inaccessible, projects.length + inaccessible.length);
  }
  return projects;
}

function inaccessibleProjects(
  { code }: InaccessibleProject,
  inaccessible: readonly InaccessibleProject[],
  total: number,
): ProjectServiceError {
  const idsWith = (wanted: InaccessibleProject["code"]) =>
    displayList(
      inaccessible.filter((project) => project.code === wanted).map(({ projectId }) => projectId),
    );
  const [forbidden, missing] = [idsWith("FORBIDDEN"), idsWith("NOT_FOUND")];
  return new ProjectServiceError(
    code,
    `Reading ${inaccessible.length} of ${total} projects failed, so there is no report.` +
      (forbidden === ""
        ? ""
        : ` The user in the setting username has no access to ${forbidden}. Ask for access.`) +
      (missing === ""
        ? ""
        : ` The list contains ${missing}, but reading them returns 404. Try again.`),
  );
}
