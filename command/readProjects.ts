import type { ProjectToCheck } from "../audit/rules/auditedProject.js";
import type { ProjectService } from "../provider/service/projectService.js";
import type { ProgressListener } from "../provider/service/readEach.js";
import { displayList } from "../provider/errors/displayText.js";
import { ProjectServiceError } from "../provider/errors/projectServiceError.js";
import type { InaccessibleProject } from "../provider/model/project.js";
import type { ProjectFilter } from "../provider/model/selection.js";
import { withoutCredentials } from "../provider/wire/mapping.js";

/** The projects of an audit. */
export interface ReadProjects {
  /** In the order of the service's list. One that could not be read has `inaccessible`. */
  readonly projects: readonly ProjectToCheck[];
  /** The number of all listed projects. */
  readonly listed: number;
  /** Why the filters match no project, if a value occurs in none. */
  readonly noMatch: string | undefined;
}

/**
 * Reads the projects of the service that match the filters in full form, without credentials.
 *
 * @param onInaccessible what happens if the list contains projects that cannot be read.
 * @param onProgress receives the number of projects that are done and the total after each project.
 * @throws ProjectServiceError `FORBIDDEN` or `NOT_FOUND` if the list contains inaccessible projects and
 *   `onInaccessible` is `fail`, or if no project can be read. The message names all of them. Other
 *   errors are those of getProjects.
 */
export async function readProjects(
  service: ProjectService,
  filters: readonly ProjectFilter[],
  onInaccessible: "fail" | "report",
  onProgress: ProgressListener | undefined,
): Promise<ReadProjects> {
  let noMatch: string | undefined;
  const { projects, inaccessible, listedIds, selected } = await service.readProjects(
    filters,
    withoutCredentials,
    {
      onInaccessible: "skip",
      onProgress,
      onNoMatch: (explanation) => (noMatch = explanation),
    },
  );
  const [first] = inaccessible;
  if (first !== undefined && (onInaccessible === "fail" || inaccessible.length === selected)) {
    throw inaccessibleProjects(first, inaccessible, selected);
  }
  const byId = new Map<string, ProjectToCheck>([
    ...projects.map((project) => [project.projectId, project] as const),
    ...inaccessible.map(
      ({ projectId, code }) =>
        [projectId, { projectId, name: projectId, environments: [], inaccessible: code }] as const,
    ),
  ]);
  return {
    projects: listedIds.flatMap((id) => byId.get(id) ?? []),
    listed: listedIds.length,
    noMatch,
  };
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
        : ` The list contains ${missing}, but reading them returns 404. Try again.`) +
      (inaccessible.length === total ? "" : " To audit the others, pass --on-inaccessible report."),
  );
}
