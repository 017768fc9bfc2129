/*
 * Reads recorded projects again, for a refresh. A project counts as deleted only if its read returns 404 and a
 * successful list of other projects omits it.
 */
import { displayText } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import type { ProjectService } from "../service/projectService.js";
import { withoutCredentials } from "../wire/credentials.js";
import { recordProject, recordProjects, type RecordScope } from "./recordProjects.js";

/** The recorded properties that the provider uses. */
export interface RecordedProperties extends RecordScope {
  /** Of a ProjectSnapshot. */
  readonly projectId?: string | undefined;
  /** Of a ProjectsSnapshot. */
  readonly projects?: Readonly<Record<string, unknown>> | undefined;
  readonly service?: string | undefined;
  readonly connection?: string | undefined;
  readonly credentials?: unknown;
}

/** Reads the recorded projects again. Returns undefined if the only one was deleted. */
export type ReadAgain = (
  service: ProjectService,
  id: string,
  recorded: RecordedProperties,
) => Promise<({ readonly credentials?: unknown } & object) | undefined>;

/** After a 404, asks the list. */
export const readProjectAgain: ReadAgain = async (service, projectId, recorded) => {
  try {
    return await recordProject(service, { projectId }, recorded.includeCredentials ?? false);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const { projects: listed } = await service.listProjects();
    // A list of nothing proves no deletion.
    if (listed.length === 0 || listed.some((each) => each.projectId === projectId)) throw error;
    return undefined;
  }
};

/** Reads each recorded project that the list omits. */
export const readProjectsAgain: ReadAgain = async (service, _id, recorded) => {
  // The engine decrypts the filters, and nothing says which values are secret.
  const { listedIds, ...read } = await recordProjects(service, recorded, { isSecret: true });
  const listed = new Set(listedIds);
  const omitted = Object.keys(recorded.projects ?? {}).filter((id) => !listed.has(id));
  for (const projectId of omitted) {
    const failure = await service.readProject({ projectId }, withoutCredentials).then(
      () => wronglyOmitted(projectId),
      (error: Error) => error,
    );
    if (!isNotFound(failure)) throw failure;
  }
  return read;
};

function isNotFound(error: unknown): boolean {
  return error instanceof ProjectServiceError && error.code === "NOT_FOUND";
}

function wronglyOmitted(projectId: string): ProjectServiceError {
  return new ProjectServiceError(
    "LIST_INCOMPLETE",
    `Listing the projects failed: the list omits project ${displayText(projectId)}, which can be read. The state stays as it is. Check baseUrl and any proxy on the way, and try again.`,
  );
}
