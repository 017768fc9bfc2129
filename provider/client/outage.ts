import {
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../errors/projectServiceError.js";

/**
 * Recognizes an outage of the service: two reads in a row that failed for a reason which concerns all
 * reads. One failure may concern one project only.
 */
export class Outage {
  /** How many reads failed since the service last responded to one. */
  private failuresInARow = 0;

  /** Records that the service responded with this status. */
  recordResponse(status: number): void {
    if (isWorking(status)) this.failuresInARow = 0;
  }

  /**
   * Records that a read failed for good.
   *
   * @returns the error for all waiting reads if there is an outage: they would fail the same way, one
   *   after the other. They share one error object, because Pulumi prints each object once.
   */
  recordFailure(error: unknown): ProjectServiceError | undefined {
    if (!(error instanceof ProjectServiceError) || !outageCodes.has(error.code)) return undefined;
    if (++this.failuresInARow < 2) return undefined;
    const { code, message, status } = error;
    return new ProjectServiceError(
      code,
      `This read was not sent, because earlier reads failed: ${message}`,
      { status },
    );
  }
}

/** Whether a status shows that the service works and accepts the token. */
function isWorking(status: number): boolean {
  return status < 500 && status !== 401 && status !== 408 && status !== 429;
}

/** The errors that concern the service as a whole, not one request. */
const outageCodes = new Set<ProjectServiceErrorCode>([
  "LOGIN_UNAVAILABLE",
  "LOGIN_RESPONSE_INVALID",
  "TOKEN_REFUSED",
  "RATE_LIMITED",
  "SERVICE_UNAVAILABLE",
  "UNREACHABLE",
  "TLS_FAILED",
  "TIMEOUT",
]);
