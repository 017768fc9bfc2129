/* Makes the error for a response whose status is not 200. */
import {
  type RequestContext,
  requestFailure,
  statusFailure,
  toProjectServiceError,
} from "../errors/requestFailure.js";
import { parseJson } from "../wire/validate.js";
import {
  type HttpResponse,
  isRateLimited,
  isRetryableStatus,
  retryAfterMs,
} from "../http/httpResponse.js";

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
    : statusFailure(status, context, details);
  return {
    status,
    isRetryable: isRetryableStatus(status),
    retryAfterMs: details.retryAfterMs,
    error: toProjectServiceError(failure, context, isOfProject && !isPage ? true : undefined),
  };
}

function isEmptyOrJson(body: Buffer): boolean {
  try {
    if (body.length > 0) parseJson(body);
    return true;
  } catch {
    return false;
  }
}
