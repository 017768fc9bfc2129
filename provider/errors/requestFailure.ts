import { displayText } from "./displayText.js";
import { type FailureKind, failureTexts } from "./failureTexts.js";
import { ProjectServiceError, type ProjectServiceErrorCode } from "./projectServiceError.js";

/** What is being requested, for the message if it fails. */
export interface RequestContext {
  /** The start of the message, such as "Listing the projects". If there is a `projectId`, it follows. */
  readonly operation: string;
  readonly url: string;
  /** The setting with the server's address, for the advice. */
  readonly urlSetting: "baseUrl" | "authUrl";
  readonly projectId?: string | undefined;
  /** Whether the debug line must not contain the last segment of the address. */
  readonly isSecret?: boolean | undefined;
}

/** What callers of a request need to know of its failure. */
export interface FailureDetails {
  /** Of a response, which may be incomplete, or of a proxy. */
  readonly status?: number | undefined;
  /** Whether another attempt may succeed. Default false. */
  readonly isRetryable?: boolean;
  /** How long the server asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** Whether the server may have received the request. Default true. */
  readonly wasSent?: boolean;
  /** Whether the OAuth error is `invalid_grant`. Default false. */
  readonly isInvalidGrant?: boolean;
}

/** A response that breaks the contract. The message names a place in it and a rule, never a value. */
export class InvalidResponseError extends Error {
  constructor(
    message: string,
    /** What to do, in complete sentences. Default: to check the address. */
    readonly advice?: string,
  ) {
    super(message);
  }
}

/** Why a request failed. It never leaves the package: {@link toProjectServiceError} makes the error for users. */
export class RequestFailure extends Error {
  constructor(
    readonly code: ProjectServiceErrorCode,
    /** The reason, and what to do. */
    message: string,
    readonly details: FailureDetails,
  ) {
    super(message);
  }
}

export function requestFailure(
  kind: FailureKind,
  { url, urlSetting, projectId }: RequestContext,
  detail: string,
  { proxy = "", ...details }: FailureDetails & { readonly proxy?: string } = {},
): RequestFailure {
  const { code, text } = failureTexts[kind];
  const facts: Readonly<Record<string, string>> = {
    setting: urlSetting,
    host: new URL(url).host,
    proxy,
    detail,
    status: String(details.status),
    wait: details.retryAfterMs
      ? ` and asks to wait ${Math.ceil(details.retryAfterMs / 1_000)} s`
      : "",
    projects: projectId === undefined ? "projects" : "this project",
  };
  // Other braces are those of an address with settings.
  const message = text.replace(/\{(\w+)\}/g, (braces, name: string) => facts[name] ?? braces);
  const isLogin = code === "RESPONSE_INVALID" && urlSetting === "authUrl";
  return new RequestFailure(isLogin ? "LOGIN_RESPONSE_INVALID" : code, message, details);
}

/** Makes the failure of a list that may lack projects. */
export function incompleteList(problem: string): RequestFailure {
  const text = `the list is incomplete: ${problem}. Check baseUrl and any proxies. If projects are being created right now, try again. If this user may not see all projects, ask for a user who may.`;
  return new RequestFailure("LIST_INCOMPLETE", text, {});
}

/**
 * Makes the failure for a response of the project API with another status than 200.
 *
 * @param status 429 also for a 403 of a rate limiter. `details.status` is the one that the service sent.
 */
export function statusFailure(
  status: number,
  context: RequestContext,
  details: FailureDetails,
): RequestFailure {
  const isNoList = status === 404 && context.projectId === undefined;
  const known = isNoList ? "noList" : isRedirect(status) ? "redirect" : statusKinds.get(status);
  const kind = known ?? (status >= 500 ? "unavailable" : "unknownStatus");
  return requestFailure(kind, context, String(status), details);
}

const statusKinds = new Map<number, FailureKind>([
  [400, "largeHeaders"],
  [401, "tokenRefused"],
  [403, "forbidden"],
  [404, "notFound"],
  [408, "requestTimeout"],
  [425, "unavailable"],
  [429, "rateLimited"],
  [431, "largeHeaders"],
]);

/** Makes the failure for a response of the token endpoint without a token. */
export function signInFailure(
  status: number,
  oauthError: string | undefined,
  context: RequestContext,
  details: FailureDetails,
): RequestFailure {
  const failure = (kind: FailureKind, detail = String(status)) =>
    requestFailure(kind, context, detail, { ...details, status });
  if (status >= 500 || status === 429 || status === 408) return failure("loginUnavailable");
  if (isRedirect(status)) return failure("redirect");
  if (oauthError === undefined) return failure("loginNoOauth");
  const kind = oauthKinds.get(oauthError) ?? "loginRejected";
  // With a 404 or another status, a word such as "Not Found" is of a gateway.
  const isRejection = oauthKinds.has(oauthError) || [200, 400, 401, 403].includes(status);
  // An unknown one can repeat what was sent, such as the password.
  const isKnown = oauthKinds.has(oauthError) || otherOauthErrors.includes(oauthError);
  const shown = isKnown ? oauthError : "error not shown";
  return isRejection ? failure(kind, shown) : failure("loginNoOauth");
}

/** The OAuth errors that name what is wrong, by registration or in Keycloak. */
const oauthKinds = new Map<string, FailureKind>([
  ["invalid_grant", "userRejected"],
  ["invalid_client", "clientRejected"],
  ["unauthorized_client", "clientRejected"],
  ["unsupported_grant_type", "clientRejected"],
  ["invalid_scope", "scopeRejected"],
  ["Realm does not exist", "noRealm"],
]);

const otherOauthErrors = ["invalid_request", "access_denied", "server_error"];

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/**
 * Makes the error for users from whatever ended a request.
 *
 * Only kind and code of a foreign error are used. Its message, cause and stack may contain headers,
 * tokens and response bodies.
 */
export function toProjectServiceError(
  error: unknown,
  context: RequestContext,
  isOfProject?: true,
): ProjectServiceError {
  if (error instanceof ProjectServiceError) return error;
  const { operation, projectId } = context;
  const subject = projectId === undefined ? operation : `${operation} ${displayText(projectId)}`;
  const { code, message, details } = toFailure(error, context);
  const { origin, pathname } = new URL(context.url);
  const text = `${subject} failed: ${message} (URL: ${origin}${displayText(pathname, 300)})`;
  const status = details.status === 200 ? undefined : details.status;
  const url = origin + pathname;
  return new ProjectServiceError(code, text, { status, projectId, url, isOfProject });
}

function toFailure(error: unknown, context: RequestContext): RequestFailure {
  if (error instanceof RequestFailure) return error;
  if (error instanceof InvalidResponseError) {
    const { urlSetting } = context;
    const server = urlSetting === "authUrl" ? "the identity provider" : "the service";
    const { message, advice = `Check that ${urlSetting} is the address of ${server}.` } = error;
    return requestFailure("contract", context, `${message}. ${advice}`);
  }
  const name = error instanceof Error ? error.constructor.name : typeof error;
  return requestFailure("bug", context, name);
}
