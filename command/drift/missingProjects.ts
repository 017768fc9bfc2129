import { displayText } from "../../provider/errors/displayText.js";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import type { Project } from "../../provider/model/project.js";
import { compileFilters, type ProjectFilter } from "../../provider/model/projectFilter.js";
import { getProjectService, type ProjectService } from "../../provider/service/projectService.js";
import type { Settings } from "../../provider/settings/resolveSettings.js";
import { withoutCredentials } from "../../provider/wire/credentials.js";
import { commandSettings, type SettingsLocation } from "../commandSettings.js";
import type { DriftChange, FindMissing } from "./compareSnapshot.js";
import { couldNotLook, type RecordedSnapshot, titleOf } from "./preview.js";

/**
 * Returns the function that reads recorded projects that the list no longer has. Without that, a list that omits
 * a project would look like a removed one.
 */
export function missingProjectsFinder(location: SettingsLocation): FindMissing {
  return async (snapshot, projectIds) => {
    const service = serviceOf(snapshot, location);
    const fates = projectIds.map(async (id) => [id, await fateOf(id, snapshot, service)] as const);
    return new Map(await Promise.all(fates));
  };
}

function serviceOf(snapshot: RecordedSnapshot, location: SettingsLocation): ProjectService {
  const { service, connection } = snapshot.before as { [key: string]: string };
  const unclear = (reason: string) =>
    couldNotLook(
      `${titleOf(snapshot)} has recorded projects that the list omits, and drift cannot tell whether they were removed${reason}`,
    );
  let settings: Settings;
  try {
    settings = commandSettings({ ...location, connection });
  } catch (error) {
    throw unclear(`. ${(error as Error).message}`);
  }
  if (settings.apiUrl === service) return getProjectService(settings);
  throw unclear(
    `, because the settings of this command name another service, ${displayText(settings.apiUrl, 200)}. Give it the settings of the program.`,
  );
}

async function fateOf(
  projectId: string,
  snapshot: RecordedSnapshot,
  service: ProjectService,
): Promise<Pick<DriftChange, "change" | "after">> {
  const { filters = [], onInaccessible } = snapshot.before;
  let project: Project;
  try {
    project = await service.readProject({ projectId }, withoutCredentials);
  } catch (error) {
    if (!(error instanceof ProjectServiceError)) throw error;
    const { code, message } = error;
    if (code === "NOT_FOUND") return { change: "removed" };
    const isSkipped = code === "FORBIDDEN" && onInaccessible === "skip";
    if (isSkipped) return { change: "inaccessible", after: code };
    throw couldNotLook(message);
  }
  const isMatch = compileFilters(filters as readonly ProjectFilter[]);
  if (!isMatch(project)) return { change: "no longer matching" };
  throw couldNotLook(
    `the list omits project ${displayText(projectId)} of ${titleOf(snapshot)}, which can be read. Check baseUrl and any proxy on the way, and try again.`,
  );
}
