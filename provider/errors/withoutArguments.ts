/* Errors of calls with a secret argument. An error names the arguments. The outermost function of a call replaces it. */
import type { ProjectServiceError, ProjectServiceErrorDetails } from "./projectServiceError.js";

/**
 * The reasons of errors, in which no argument is named. Kept beside the errors, not in them: Node prints every property of
 * an error, and Pulumi serializes it with a closure.
 */
const openTexts = new WeakMap<ProjectServiceError, string>();

/** Contains the code, because a program gets one error for each message. */
export function namesNothing({ code }: ProjectServiceError): string {
  return `an argument is secret, so this message shows no details (${code}).`;
}

/**
 * Stores the text that replaces the message if an argument is secret. Without it, the error shows only its code.
 *
 * @param reason names no argument, no project and no address.
 */
export function withOpenText<E extends ProjectServiceError>(error: E, reason: string): E {
  openTexts.set(error, reason);
  return error;
}

/** Returns the reason of an error, which other calls may get. */
export function openReason(error: ProjectServiceError): string {
  return openTexts.get(error) ?? namesNothing(error);
}

/** Returns an error with more text at its end. */
export function withMoreText(
  error: ProjectServiceError,
  text: string,
  openText = text,
): ProjectServiceError {
  const more = copyOf(error, `${error.message} ${text}`, error);
  const reason = openTexts.get(error);
  return reason === undefined ? more : withOpenText(more, `${reason} ${openText}`);
}

/** Returns an error with the same code and status that names neither an argument nor a project nor an address. */
export function withoutArguments(error: ProjectServiceError): ProjectServiceError {
  const reason = openReason(error);
  const { status } = error;
  return withOpenText(copyOf(error, `Reading failed: ${reason}`, { status }), reason);
}

function copyOf(
  error: ProjectServiceError,
  message: string,
  details: ProjectServiceErrorDetails,
): ProjectServiceError {
  const ErrorClass = error.constructor as typeof ProjectServiceError;
  return new ErrorClass(error.code, message, details);
}
