/* Makes the error for a response whose status is not 200. */
import type { FailureKind } from "../errors/failureTexts.js";
import {
  ForeignPageError,
  InaccessibleProjectError,
  ProjectServiceError,
} from "../errors/projectServiceError.js";
import {
  type RequestContext,
  requestFailure,
  type RequestFailure,
  statusFailure,
  toProjectServiceError,
} from "../errors/requestFailure.js";
import { parseJson } from "../wire/validate.js";
import type { HttpResponse } from "./http.js";
import { isRetryableStatus } from "./nextStep.js";
import { isRateLimited, retryAfterMs } from "./rateLimitHeaders.js";

/** Returns how an attempt ended with a response whose status is not 200. */
export function outcomeOf(response: HttpResponse, context: RequestContext) {
  const { headers } = response;
  const isLimited = isRateLimited(response.status, headers);
  const status = isLimited ? 429 : response.status;
  const details = { status: response.status, retryAfterMs: retryAfterMs(headers) };
  const failure = pageFailure(response, context) ?? statusFailure(status, context, details);
  const ErrorClass = isLimited ? ProjectServiceError : errorClassOf(response, context);
  return {
    status,
    isRetryable: isRetryableStatus(status),
    retryAfterMs: details.retryAfterMs,
    error: toProjectServiceError(failure, context, ErrorClass),
  };
}

/** The titles of the pages with which nginx says what is wrong with a request: src/http/ngx_http_special_response.c. */
const pages: readonly (readonly [title: string, kind: FailureKind])[] = [
  ["400 The plain HTTP request was sent to HTTPS port", "httpsPort"],
  ["400 No required SSL certificate was sent", "clientCertificate"],
  ["400 Request Header Or Cookie Too Large", "headersTooLarge"],
];

/** Makes the failure for a page that names what is wrong. */
export function pageFailure(
  { status, body }: Pick<HttpResponse, "status" | "body">,
  context: RequestContext,
): RequestFailure | undefined {
  const page = status === 400 ? body.toString("latin1", 0, 1_000) : "";
  const [, kind] = pages.find(([title]) => page.includes(`<title>${title}</title>`)) ?? [];
  return kind && requestFailure(kind, context, String(status), { status });
}

function errorClassOf({ status, body }: HttpResponse, { projectId }: RequestContext) {
  if (projectId === undefined || ![403, 404].includes(status)) return ProjectServiceError;
  return body.length === 0 || isJson(body) ? InaccessibleProjectError : ForeignPageError;
}

function isJson(body: Buffer): boolean {
  try {
    parseJson(body);
    return true;
  } catch {
    return false;
  }
}
