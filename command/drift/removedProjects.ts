import { displayText } from "../../provider/errors/displayText.js";
import type { Project } from "../../provider/model/project.js";
import { compileFilters, type ProjectFilter } from "../../provider/model/projectFilter.js";
import { getProjectService, type ProjectService } from "../../provider/service/projectService.js";
import { isInaccessible } from "../../provider/service/readEach.js";
import type { Settings } from "../../provider/settings/resolveSettings.js";
import { withoutCredentials } from "../../provider/wire/credentials.js";
import { commandSettings, type SettingsLocation } from "../commandSettings.js";
import type { Fate, Fates } from "./compareSnapshot.js";
import { couldNotLook, type JsonObject, type RecordedSnapshot, titleOf } from "./preview.js";

/**
 * Finds out what became of recorded projects that the list no longer has, by reading them. Without that, a list that
 * omits a project would look like a removed one. The result omits a project that still exists if only the filters
 * in the program have changed.
 */
export async function findMissingProjects(
  snapshot: RecordedSnapshot,
  projectIds: readonly string[],
  location: SettingsLocation,
): Promise<Fates> {
  const service = await serviceOf(snapshot, location);
  const fates = projectIds.map(async (id) => {
    const fate = await fateOf(id, snapshot, service);
    return fate === undefined ? [] : [[id, fate] as const];
  });
  return new Map((await Promise.all(fates)).flat());
}

async function serviceOf(
  snapshot: RecordedSnapshot,
  location: SettingsLocation,
): Promise<ProjectService> {
  const { service, connection } = snapshot.before as { [key: string]: string };
  const unclear = (reason: string) =>
    couldNotLook(
      `${titleOf(snapshot)} has recorded projects that the list omits, and drift cannot tell whether they were removed${reason}`,
    );
  let settings: Settings;
  try {
    settings = await commandSettings({ ...location, connection });
  } catch (error) {
    throw unclear(`. ${(error as Error).message}`);
  }
  if (settings.apiUrl === service) return getProjectService(settings);
  throw unclear(
    `, because the settings of this command name another service, ${displayText(settings.apiUrl, 200)}. Give it the settings of the program.`,
  );
}

/** Returns undefined if the project still matches the recorded filters, and only new filters deselect it. */
async function fateOf(
  projectId: string,
  { before, after, ...snapshot }: RecordedSnapshot,
  service: ProjectService,
): Promise<Fate | undefined> {
  let project: Project;
  try {
    project = await service.readProject({ projectId }, withoutCredentials);
  } catch (error) {
    if (!isInaccessible(error)) throw error;
    if (error.code === "NOT_FOUND") return { change: "removed" };
    if (before["onInaccessible"] !== "skip") throw error;
    return { change: "inaccessible", after: error.code };
  }
  const matches = ({ filters = [] }: JsonObject) =>
    compileFilters(filters as readonly ProjectFilter[]).every((each) => each.matches(project));
  if (!matches(after)) return matches(before) ? undefined : { change: "no longer matching" };
  throw couldNotLook(
    `the list omits project ${displayText(projectId)} of ${titleOf(snapshot)}, which can be read. Check baseUrl and any proxy on the way, and try again.`,
  );
}
