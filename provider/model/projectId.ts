import { ProjectServiceError } from "../errors/projectServiceError.js";
import { displayText } from "../errors/displayText.js";

/**
 * Refuses ids that cannot be a segment of a URL. `encodeURIComponent` does not escape dots, and a
 * segment of dots leads to the parent.
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
      `"${displayText(projectId)}" is not a project id. Pass the projectId as the service shows it.`,
      { projectId },
    );
  }
}

/** Whether text has characters that must not be in a URL. */
export function hasControlCharacters(text: string): boolean {
  return /[\u0000-\u001f\u007f-\u009f]/.test(text);
}
