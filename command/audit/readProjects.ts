import type { ProjectToCheck } from "../../audit/rules/auditedProject.js";
import { displayList } from "../../provider/errors/displayText.js";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import type { InaccessibleProject } from "../../provider/model/project.js";
import type { ProjectFilter } from "../../provider/model/projectFilter.js";
import { getProjectService } from "../../provider/service/projectService.js";
import type { Settings } from "../../provider/settings/resolveSettings.js";
import { withoutCredentials } from "../../provider/wire/credentials.js";

/** The projects of an audit. */
export interface ReadProjects {
  /** In the order of the service's list. One that could not be read has `inaccessible`. */
  readonly projects: readonly ProjectToCheck[];
  /** The number of all listed projects. */
  readonly listed: number;
}

/**
 * Reads the projects of the service that match the filters in full form, without credentials.
 *
 * @param onInaccessible what happens if the list contains projects that cannot be read.
 * @throws ProjectServiceError `NOT_FOUND` if there are no projects, or none that match; `FORBIDDEN` or
 *   `NOT_FOUND` if projects cannot be read and `onInaccessible` is `fail`, or if none can be read. Other
 *   errors are those of getProjects.
 */
export async function readProjects(
  settings: Settings,
  filters: readonly ProjectFilter[],
  onInaccessible: "fail" | "report",
): Promise<ReadProjects> {
  const { projects, inaccessible, listedIds, selected } = await getProjectService(
    settings,
  ).readProjects(filters, withoutCredentials, "skip");
  if (inaccessible.length > 0 && (onInaccessible === "fail" || inaccessible.length === selected)) {
    throw inaccessibleProjects(inaccessible, selected);
  }
  const byId = new Map<string, ProjectToCheck>([
    ...projects.map((project) => [project.projectId, project] as const),
    ...inaccessible.map(
      ({ projectId, code }) =>
        [projectId, { projectId, name: projectId, environments: [], inaccessible: code }] as const,
    ),
  ]);
  if (byId.size === 0) {
    throw new ProjectServiceError(
      "NOT_FOUND",
      listedIds.length === 0
        ? "The user in the setting username has access to no project, so there is nothing to audit. Ask for access to projects."
        : `--filter matches none of ${listedIds.length} projects, so there is nothing to audit. Check its keys and values.`,
    );
  }
  return { projects: listedIds.flatMap((id) => byId.get(id) ?? []), listed: listedIds.length };
}

function inaccessibleProjects(
  inaccessible: readonly InaccessibleProject[],
  selected: number,
): ProjectServiceError {
  const idsWith = (wanted: InaccessibleProject["code"]) =>
    displayList(
      inaccessible.filter(({ code }) => code === wanted).map(({ projectId }) => projectId),
    );
  const [forbidden, missing] = [idsWith("FORBIDDEN"), idsWith("NOT_FOUND")];
  return new ProjectServiceError(
    forbidden === "" ? "NOT_FOUND" : "FORBIDDEN",
    [
      `Reading ${inaccessible.length} of ${selected} projects failed, so there is no report.`,
      forbidden && `The user in the setting username has no access to ${forbidden}.`,
      missing && `The list contains ${missing}, but reading them returns 404.`,
      inaccessible.length < selected && "To audit the others, pass --on-inaccessible report.",
    ]
      .filter(Boolean)
      .join(" "),
  );
}
