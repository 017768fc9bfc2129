/* Reads recorded projects again, for a refresh and for drift. */
import type { ProjectService } from "../reading/projectService.js";
import { applyAbsence, isNotFound, type NewRecord } from "./absence.js";
import { type RecordedProperties, recordProject, recordProjects } from "./record.js";

/** Reads the projects of a record again. A ProjectSnapshot whose project was deleted has no `projectId` then. */
export async function reread(
  service: ProjectService,
  recorded: RecordedProperties,
  onProgress?: (read: number, total: number) => void,
): Promise<NewRecord> {
  const { projectId } = recorded;
  const read =
    projectId === undefined
      ? await recordProjects(service, recorded, onProgress)
      : await rereadProject(service, projectId, recorded);
  // The arguments stay, and what a transformation or a policy has added.
  return applyAbsence(service, recorded, { ...recorded, ...read });
}

async function rereadProject(
  service: ProjectService,
  projectId: string,
  recorded: RecordedProperties,
): Promise<RecordedProperties> {
  try {
    return await recordProject(service, { projectId }, recorded);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return { projectId: undefined };
  }
}
