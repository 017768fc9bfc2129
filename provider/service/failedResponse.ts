/* Makes the error for a response whose status is not 200. */
import type { FailureKind } from "../errors/failureTexts.js";
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

/** Returns how an attempt ended with a response whose status is not 200. */
export function outcomeOf(response: HttpResponse, context: RequestContext) {
  const { headers } = response;
  const isLimited = isRateLimited(response.status, headers);
  const status = isLimited ? 429 : response.status;
  const details = { status: response.status, retryAfterMs: retryAfterMs(headers) };
  const isOfProject = context.projectId !== undefined && (status === 403 || status === 404);
  const isPage = (isOfProject || status === 403) && !isEmptyOrJson(response.body);
  const failure = isPage
    ? requestFailure("page", context, String(status), details)
    : (pageFailure(response, context) ?? statusFailure(status, context, details));
  return {
    status,
    isRetryable: isRetryableStatus(status),
    retryAfterMs: details.retryAfterMs,
    error: toProjectServiceError(failure, context, isOfProject && !isPage ? true : undefined),
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

function isEmptyOrJson(body: Buffer): boolean {
  try {
    if (body.length > 0) parseJson(body);
    return true;
  } catch {
    return false;
  }
}

/** Whether a response comes from a rate limiter. Some respond with 403. */
export function isRateLimited(status: number, headers: HttpResponse["headers"]): boolean {
  if (status === 429) return true;
  const isLimit = headers["retry-after"] !== undefined || headers["x-ratelimit-remaining"] === "0";
  return status === 403 && isLimit;
}

/**
 * Returns the wait that a response asks for, in ms. The header Retry-After has seconds, or an HTTP date, which counts
 * from the date of the response: the clocks may differ.
 */
export function retryAfterMs(headers: HttpResponse["headers"]): number | undefined {
  const { "retry-after": text = "", date = "" } = headers;
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1_000;
  const endMs = text.trim().endsWith("GMT") ? Date.parse(text) : NaN;
  if (Number.isNaN(endMs)) return undefined;
  const nowMs = Date.parse(date);
  return Math.max(0, endMs - (Number.isNaN(nowMs) ? Date.now() : nowMs));
}
