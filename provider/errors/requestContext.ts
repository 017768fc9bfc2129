import { displayText } from "./displayText.js";
import { ProjectServiceError, type ProjectServiceErrorCode } from "./projectServiceError.js";

/** What is being requested, for the message if it fails. */
export interface RequestContext {
  /** The start of the message: "Reading project p-1". */
  readonly operation: string;
  readonly url: string;
  /** The setting with the server's address, for the advice. */
  readonly urlSetting: "baseUrl" | "authUrl";
  readonly projectId?: string | undefined;
  /** Whether the error must not contain the last segment of the address, and `projectId`. */
  readonly isSecret?: boolean | undefined;
}

/** What went wrong with a request. */
export interface Failure {
  readonly code: ProjectServiceErrorCode;
  /** Continues "Reading project p-1 failed: ", without a period. */
  readonly reason: string;
  /** What to do, in complete sentences. */
  readonly advice: string;
  readonly status?: number | undefined;
}

/** A URL can be as long as an id or a link that the service sent. */
const maxDisplayedUrl = 300;

/** Makes the error for a request that failed. */
export function requestError(
  { operation, url, projectId, isSecret = false }: RequestContext,
  { code, reason, advice, status }: Failure,
): ProjectServiceError {
  const { origin, pathname } = new URL(url);
  const path = isSecret ? pathname.slice(0, pathname.lastIndexOf("/")) : pathname;
  return new ProjectServiceError(
    code,
    `${operation} failed: ${reason}. ${advice} (URL: ${displayText(origin + path, maxDisplayedUrl)})`,
    { status, projectId: isSecret ? undefined : projectId, url: origin + path },
  );
}

/** The code for a response that cannot be used. */
export function invalidResponseCode({ urlSetting }: RequestContext): ProjectServiceErrorCode {
  return urlSetting === "authUrl" ? "LOGIN_RESPONSE_INVALID" : "RESPONSE_INVALID";
}
