/** What went wrong, as a constant to compare with; the README's error table says what to do about each. */
export type ProjectServiceErrorCode =
  | "SETTINGS_INVALID"
  | "ARGUMENT_INVALID"
  | "LOGIN_REJECTED"
  | "LOGIN_UNAVAILABLE"
  | "LOGIN_RESPONSE_INVALID"
  | "TOKEN_REFUSED"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "AMBIGUOUS_NAME"
  | "RATE_LIMITED"
  | "SERVICE_UNAVAILABLE"
  | "UNREACHABLE"
  | "TLS_FAILED"
  | "TIMEOUT"
  | "RESPONSE_INVALID"
  | "LIST_INCOMPLETE";

/** Data of a {@link ProjectServiceError}, as fields so that nobody has to parse the message. */
export interface ProjectServiceErrorDetails {
  /** HTTP status of the answer, where there was one. */
  status?: number | undefined;
  /** The project that was asked for, where one was. */
  projectId?: string | undefined;
  /** The address that was asked; without query and user info. */
  url?: string | undefined;
}

/**
 * The one error of this package.
 *
 * The message says what failed, with what answer, and what to do. Neither the message nor anything
 * reachable from the error holds a response body, a header, a token or a credential: foreign errors
 * are translated, never attached as `cause`.
 */
export class ProjectServiceError extends Error {
  readonly code: ProjectServiceErrorCode;
  readonly status?: number;
  readonly projectId?: string;
  readonly url?: string;

  /** Makes Pulumi print the message alone, without a stack trace. */
  protected readonly __pulumiRunError = true;

  constructor(
    code: ProjectServiceErrorCode,
    message: string,
    details: ProjectServiceErrorDetails = {},
  ) {
    super(message);
    this.name = "ProjectServiceError";
    // No frames: the message says where to look. Pulumi colours the frames of whatever a program
    // fails with, and one in a scoped package, such as its own, keeps Node 20 at it for 20 s and 3 GB.
    this.stack = `${this.name}: ${message}`;
    this.code = code;
    if (details.status !== undefined) this.status = details.status;
    if (details.projectId !== undefined) this.projectId = details.projectId;
    if (details.url !== undefined) this.url = withoutQuery(details.url);
  }
}

function withoutQuery(address: string): string {
  const url = new URL(address);
  return `${url.origin}${url.pathname}`;
}
