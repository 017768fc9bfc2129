import { argumentInvalid } from "../errors/projectServiceError.js";

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
    // Without the id, which may be secret.
    throw argumentInvalid(
      "projectId is not the id of a project: it is empty, or has characters that no id has. Pass the projectId as the service shows it.",
    );
  }
}

/** Whether text has characters that must not be in a URL. */
export function hasControlCharacters(text: string): boolean {
  return /[\u0000-\u001f\u007f-\u009f]/.test(text);
}
