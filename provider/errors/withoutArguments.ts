/* Errors of calls with a secret argument. An error names the arguments. The outermost function of a call replaces it. */
import type { ProjectServiceError, ProjectServiceErrorDetails } from "./projectServiceError.js";

/** A text of an error that names no argument. */
interface OpenText {
  /** The start of the text, such as `Reading failed: `. */
  readonly start: string;
  readonly reason: string;
}

/**
 * Kept beside the errors, not in them: Node prints every property of an error, and Pulumi serializes it with a closure.
 */
const openTexts = new WeakMap<ProjectServiceError, OpenText>();

/** Contains the code, because a program gets one error for each message. */
export function namesNothing({ code }: ProjectServiceError): string {
  return `${code}: an argument is secret, so this message shows no details.`;
}

/**
 * Stores the text that replaces the message if an argument is secret. Without it, the error shows only its code.
 *
 * @param reason names no argument, no project and no address.
 */
export function withOpenText<E extends ProjectServiceError>(
  error: E,
  reason: string,
  start = "",
): E {
  openTexts.set(error, { start, reason });
  return error;
}

/** Returns the reason of an error, which other calls may get. */
export function openReason(error: ProjectServiceError): string {
  return openTexts.get(error)?.reason ?? namesNothing(error);
}

/** Returns an error with more text at its end. */
export function withMoreText(
  error: ProjectServiceError,
  text: string,
  openText = text,
): ProjectServiceError {
  const more = copyOf(error, `${error.message} ${text}`, error);
  const { start, reason } = openTexts.get(error) ?? {};
  return reason === undefined ? more : withOpenText(more, `${reason} ${openText}`, start);
}

/** Returns an error with the same code and status that names neither an argument nor a project nor an address. */
export function withoutArguments(error: ProjectServiceError): ProjectServiceError {
  const reason = openReason(error);
  const { start = "" } = openTexts.get(error) ?? {};
  return withOpenText(copyOf(error, start + reason, { status: error.status }), reason, start);
}

function copyOf(
  error: ProjectServiceError,
  message: string,
  details: ProjectServiceErrorDetails,
): ProjectServiceError {
  const ErrorClass = error.constructor as typeof ProjectServiceError;
  return new ErrorClass(error.code, message, details);
}
