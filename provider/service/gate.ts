import {
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../errors/projectServiceError.js";
import { sleep } from "./deadline.js";

/** A row of failed reads is at least so long before the waiting reads fail. */
const minRow = 8;

/**
 * Limits how many reads run at the same time. Waiting reads start in order.
 *
 * If as many reads in a row as may run at the same time have failed, the waiting reads fail too: they would
 * fail the same way, one after the other. No request starts while the service asks to wait.
 */
export class Gate {
  private running = 0;
  private waiting: { readonly start: () => void; readonly fail: (error: Error) => void }[] = [];
  private failuresInRow = 0;
  private pause: { readonly endMs: number; readonly error: ProjectServiceError } | undefined;

  constructor(private readonly concurrency: number) {}

  async run<T>(read: () => Promise<T>): Promise<T> {
    if (this.running < this.concurrency) this.running++;
    else await new Promise<void>((start, fail) => this.waiting.push({ start, fail }));
    try {
      return await read();
    } catch (error) {
      this.recordFailure(error);
      throw error;
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running--;
      else next.start(); // in the place of this one
    }
  }

  recordResponse(status: number): void {
    if (status < 500 && status !== 401 && status !== 408) this.failuresInRow = 0;
  }

  /** Lets no request start for some time. */
  startPause(waitMs: number, error: ProjectServiceError): void {
    const endMs = performance.now() + waitMs;
    if (this.pause === undefined || this.pause.endMs < endMs) {
      this.pause = { endMs, error: notSent(error) };
    }
  }

  /** Waits until no pause is left. Rejects at once if that is after `endMs`. */
  async waitForPause(endMs: number): Promise<void> {
    while (this.pause !== undefined && performance.now() < this.pause.endMs) {
      if (this.pause.endMs >= endMs) throw this.pause.error;
      await sleep(this.pause.endMs - performance.now());
    }
  }

  private recordFailure(error: unknown): void {
    if (!(error instanceof ProjectServiceError) || !outageCodes.has(error.code)) return;
    if (++this.failuresInRow < Math.max(minRow, this.concurrency)) return;
    const ownError = notSent(error); // one object, because Pulumi prints each object once
    for (const { fail } of this.waiting) fail(ownError);
    this.waiting = [];
  }
}

function notSent({ code, message, status }: ProjectServiceError): ProjectServiceError {
  const text = `This read was not sent, because earlier reads failed: ${message}`;
  return new ProjectServiceError(code, text, { status });
}

/**
 * The errors that may concern the service as a whole, and not one request. A rejected password is remembered, so
 * that the waiting reads fail without a request anyway.
 */
const outageCodes = new Set<ProjectServiceErrorCode>([
  "LOGIN_UNAVAILABLE",
  "LOGIN_RESPONSE_INVALID",
  "TOKEN_REFUSED",
  "SERVICE_UNAVAILABLE",
  "UNREACHABLE",
  "TLS_FAILED",
  "TIMEOUT",
]);
