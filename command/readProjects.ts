import type { ProjectService } from "../provider/client/projectService.js";
import type { ProgressListener } from "../provider/client/readEach.js";
import { displayList } from "../provider/errors/displayText.js";
import { ProjectServiceError } from "../provider/errors/projectServiceError.js";
import type { InaccessibleProject, Project } from "../provider/model/project.js";
import type { ProjectFilter } from "../provider/model/projectFilter.js";
import { withoutCredentials } from "../provider/wire/mapping.js";

/**
 * Reads the projects of the service that match the filters in full form, without credentials.
 *
 * @param onProgress receives the number of projects that are done and the total after each project.
 * @returns the projects, in the order of the service's list, and the number of all listed projects.
 * @throws ProjectServiceError `FORBIDDEN` or `NOT_FOUND` if the list contains inaccessible projects.
 *   The message names all of them. Other errors are those of getProjects.
 */
export async function readProjects(
  service: ProjectService,
  filters: readonly ProjectFilter[],
  onProgress: ProgressListener | undefined,
): Promise<{ projects: Project[]; listed: number }> {
  const { projects, inaccessible, listedIds, selected } = await service.readProjects(
    filters,
    withoutCredentials,
    { onInaccessible: "skip", onProgress },
  );
  const [first] = inaccessible;
  if (first !== undefined) throw inaccessibleProjects(first, inaccessible, selected);
  return { projects, listed: listedIds.length };
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
