import type { ProjectToCheck } from "../../audit/rules/auditedProject.js";
import { displayList } from "../../provider/errors/displayText.js";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import type { ProjectFilter } from "../../provider/model/projectFilter.js";
import { getProjectService } from "../../provider/service/projectService.js";
import type { Settings } from "../../provider/settings/resolveSettings.js";
import { withoutCredentials } from "../../provider/wire/credentials.js";

/** The projects of an audit. */
interface ReadProjects {
  /** In the order of the service's list, those with `inaccessible` last. */
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
  const service = getProjectService(settings);
  const result = await service.readProjects(filters, withoutCredentials, "skip");
  const { projects, inaccessible, selected } = result;
  const listed = result.listedIds.length;
  const [first] = inaccessible;
  if (first !== undefined && (onInaccessible === "fail" || inaccessible.length === selected)) {
    const failed = inaccessible.map(({ projectId, code }) => `${projectId} (${code})`);
    const others = onInaccessible === "fail" ? ", or pass --on-inaccessible report" : "";
    throw new ProjectServiceError(
      first.code,
      `The user in the setting username cannot read ${inaccessible.length} of ${selected} projects: ${displayList(failed)}. Ask for access${others}.`,
    );
  }
  if (projects.length + inaccessible.length === 0) {
    throw new ProjectServiceError(
      "NOT_FOUND",
      listed === 0
        ? "The user in the setting username has access to no project, so there is nothing to audit. Ask for access to projects."
        : `--filter matches none of ${listed} projects, so there is nothing to audit. Check its keys and values.`,
    );
  }
  const unread = inaccessible.map(({ projectId, code }) => {
    return { projectId, name: projectId, inaccessible: code };
  });
  return { projects: [...projects, ...unread], listed };
}
