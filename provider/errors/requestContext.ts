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
  { operation, url, projectId }: RequestContext,
  { code, reason, advice, status }: Failure,
): ProjectServiceError {
  const { origin, pathname } = new URL(url);
  return new ProjectServiceError(
    code,
    `${operation} failed: ${reason}. ${advice} (URL: ${displayText(origin + pathname, maxDisplayedUrl)})`,
    { status, projectId, url },
  );
}

/** The code for a response that cannot be used. */
export function invalidResponseCode({ urlSetting }: RequestContext): ProjectServiceErrorCode {
  return urlSetting === "authUrl" ? "LOGIN_RESPONSE_INVALID" : "RESPONSE_INVALID";
}
