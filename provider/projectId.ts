import { ProjectServiceError } from "./errors.js";
import { shown } from "./shown.js";

/**
 * Refuses ids that cannot be a segment of an address. `encodeURIComponent` leaves dots alone, and a
 * segment of dots climbs.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID`
 */
export function checkProjectId(projectId: string): void {
  if (
    projectId === "" ||
    projectId === "." ||
    projectId === ".." ||
    !projectId.isWellFormed() ||
    hasControlCharacters(projectId)
  ) {
    throw new ProjectServiceError(
      "ARGUMENT_INVALID",
      `"${shown(projectId)}" is not a project id. Pass the projectId that the service shows.`,
      { projectId },
    );
  }
}

/** True for text that must not go into an address. */
export function hasControlCharacters(text: string): boolean {
  return /[\u0000-\u001f\u007f-\u009f]/.test(text);
}
