import { inspect } from "node:util";

/** What went wrong, as a constant to compare with. docs/reference.md says what to do about each. */
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

/**
 * The error that functions, resources and rules of this package throw.
 *
 * The message says what failed, with which status or cause, and what to do. Neither the message nor
 * any property contains a response body, a header, a token or a credential. Errors of other libraries
 * are translated, never attached as `cause`.
 */
export class ProjectServiceError extends Error {
  /** The kind of failure. docs/reference.md lists all codes. */
  readonly code: ProjectServiceErrorCode;
  /** HTTP status, if it is why the call failed. */
  declare readonly status?: number | undefined;
  /** The project that could not be read: the first, if there are several. */
  declare readonly projectId?: string | undefined;
  /** Address of the request, without query and user info. */
  declare readonly url?: string | undefined;
  /**
   * Whether the service does not give this project, although others can be read: 403, 404, or fields that break the
   * contract.
   *
   * @internal
   */
  declare readonly isOfProject?: true | undefined;

  /** @internal */
  constructor(
    code: ProjectServiceErrorCode,
    message: string,
    details: Partial<
      Pick<ProjectServiceError, "status" | "projectId" | "url" | "isOfProject">
    > = {},
  ) {
    super(message);
    this.name = `ProjectServiceError [${code}]`;
    // No stack frames: Pulumi colors the frames of any error that ends a program. On Node 20, a
    // frame in a scoped package, such as Pulumi's own, makes that take 20 s and 3 GB.
    // Defined as a value: on Node 22 and later, `stack` is a native accessor, which Pulumi cannot
    // serialize in a closure that captures the error.
    const stack = `${this.name}: ${message}`;
    Object.defineProperty(this, "stack", { value: stack, writable: true, configurable: true });
    this.code = code;
    if (details.status !== undefined) this.status = details.status;
    if (details.projectId !== undefined) this.projectId = details.projectId;
    if (details.url !== undefined) this.url = details.url;
    if (details.isOfProject) this.isOfProject = true;
  }

  /**
   * Takes the promise that Pulumi's SDK attaches to an error. Node prints all properties of an error
   * that ends a process, and this one leads to the stack's config with its secrets.
   *
   * @internal
   */
  set promise(_: unknown) {}

  /**
   * Makes Pulumi and `console.log` print name and message alone. The message contains the details.
   * Pulumi writes `error serializing property "…":` before `message`, but not into `stack`.
   *
   * @internal
   */
  protected [inspect.custom](): string {
    return this.stack as string;
  }
}

/** Returns an error about a wrong argument, option or file of the user. */
export function argumentInvalid(message: string): ProjectServiceError {
  return new ProjectServiceError("ARGUMENT_INVALID", message);
}

/** Returns what an error may say to calls with other arguments, such as `SERVICE_UNAVAILABLE, 503`. */
export function codeAndStatus({ code, status }: ProjectServiceError): string {
  return status === undefined ? code : `${code}, ${status}`;
}

/**
 * Returns the error of a call with a secret argument, which names neither an argument nor a project nor an address.
 *
 * @param what what has failed, such as the name of the function.
 */
export function withoutDetails(what: string, error: ProjectServiceError): ProjectServiceError {
  const { code, status } = error;
  const message = `${what} failed (${codeAndStatus(error)}). An argument is secret, so no more is shown.`;
  return new ProjectServiceError(code, message, { status });
}
