import { argumentInvalid } from "../errors/projectServiceError.js";

/** Refuses ids that cannot be a segment of a URL. Throws ProjectServiceError `ARGUMENT_INVALID`. */
export function checkProjectId(projectId: string): void {
  if (isUrlSegment(projectId)) return;
  // Without the id, which may be secret.
  throw argumentInvalid(
    "projectId is empty or contains characters that no project id has. Pass the id as the service shows it.",
  );
}

/** `encodeURIComponent` does not escape dots, and a segment of dots leads to the parent. */
export function isUrlSegment(text: string): boolean {
  if (text === "" || text === "." || text === ".." || !text.isWellFormed()) return false;
  return !/[\u0000-\u001f\u007f-\u009f]/.test(text);
}
