/* Errors of calls with a secret argument. An error names what was asked, and the edge of the call leaves that out. */
import { ProjectServiceError } from "./projectServiceError.js";

/** A text of an error that names no argument. */
interface OpenText {
  /** The start of the text, such as `Reading failed: `. */
  readonly start: string;
  readonly reason: string;
}

/**
 * Beside the errors and not in them: Node prints every property of an error, and Pulumi serializes it with a closure.
 */
const openTexts = new WeakMap<ProjectServiceError, OpenText>();

/** Has the code, because a program gets one error for each message. */
export function namesNothing({ code }: ProjectServiceError): string {
  return `${code}: an argument is secret, so this message names nothing.`;
}

/**
 * Keeps what an error says if an argument is secret. Without it, nothing.
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
  const { start, reason } = openTexts.get(error) ?? { start: "", reason: namesNothing(error) };
  return withOpenText(copyOf(error, start + reason, { status: error.status }), reason, start);
}

/** Runs a read. If an argument is secret, its error names none. */
export async function hideArguments<T>(isSecret: boolean, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw isSecret && error instanceof ProjectServiceError ? withoutArguments(error) : error;
  }
}

function copyOf(
  error: ProjectServiceError,
  message: string,
  details: ConstructorParameters<typeof ProjectServiceError>[2],
): ProjectServiceError {
  const ErrorClass = error.constructor as typeof ProjectServiceError;
  return new ErrorClass(error.code, message, details);
}
