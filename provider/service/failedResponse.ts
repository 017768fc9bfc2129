/* What a response means that has neither the project nor the list. */
import {
  ForeignPageError,
  InaccessibleProjectError,
  ProjectServiceError,
} from "../errors/projectServiceError.js";
import {
  type RequestContext,
  statusFailure,
  toProjectServiceError,
} from "../errors/requestFailure.js";
import { parseJson } from "../wire/validate.js";
import type { HttpResponse } from "./http.js";
import { isRateLimited, isRetryableStatus, retryAfterMs } from "./nextStep.js";

/** Returns how an attempt ended with a response whose status is not 200. */
export function outcomeOf(response: HttpResponse, context: RequestContext) {
  const { headers } = response;
  const isLimited = isRateLimited(response.status, headers);
  const status = isLimited ? 429 : response.status;
  const details = { status: response.status, retryAfterMs: retryAfterMs(headers) };
  const failure = statusFailure(status, context, details);
  const ErrorClass = isLimited ? ProjectServiceError : errorClassOf(response, context);
  return {
    status,
    isRetryable: isRetryableStatus(status),
    retryAfterMs: details.retryAfterMs,
    error: toProjectServiceError(failure, context, ErrorClass),
  };
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
