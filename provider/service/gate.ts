import {
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../errors/projectServiceError.js";
import { sleep } from "./deadline.js";
import { Pace } from "./pace.js";

/** A row of failed reads is at least so long before the waiting reads fail. */
export const minRow = 8;

/**
 * Limits how many reads run at the same time, and how fast their requests start. Waiting reads start in order.
 *
 * If as many reads in a row as may run at the same time have failed, the waiting reads fail too: they would
 * fail the same way, one after the other. No request starts while the service asks to wait, or earlier than the
 * pace of its rate limiter allows.
 */
export class Gate {
  private running = 0;
  private waiting: { readonly start: () => void; readonly fail: (error: Error) => void }[] = [];
  private failuresInRow = 0;
  private pause: { readonly endMs: number; readonly error: ProjectServiceError } | undefined;

  private readonly pace = new Pace();
  private busySinceMs = 0;
  private refusal: ProjectServiceError | undefined;

  /** @param maxRefusedMs Waiting reads fail if no read has succeeded for this time. */
  constructor(
    private readonly concurrency: number,
    private readonly maxRefusedMs: number,
  ) {}

  async run<T>(read: () => Promise<T>): Promise<T> {
    if (this.running === 0) this.busySinceMs = performance.now();
    if (this.running < this.concurrency) this.running++;
    else await new Promise<void>((start, fail) => this.waiting.push({ start, fail }));
    try {
      return await read();
    } catch (error) {
      this.recordFailure(error);
      throw error;
    } finally {
      const next = this.waiting.shift();
      if (next !== undefined)
        next.start(); // in the place of this one
      // With nothing that waits, a row ends: it must not outlast an outage.
      else if (--this.running === 0) this.failuresInRow = 0;
    }
  }

  /** Lets no request start for some time. */
  startPause(waitMs: number, error: ProjectServiceError): void {
    const endMs = performance.now() + waitMs;
    if (this.pause === undefined || this.pause.endMs < endMs) {
      this.pause = { endMs, error: notSent(error) };
    }
  }

  /**
   * Waits until a request may start. Rejects at once if a pause ends after `endMs`.
   *
   * @returns how many ms of the wait were for the gap.
   */
  async waitToStart(endMs: number): Promise<number> {
    let refusedMs = 0;
    for (;;) {
      const nowMs = performance.now();
      const { pause } = this;
      if (pause !== undefined && nowMs < pause.endMs) {
        if (pause.endMs >= endMs) throw pause.error;
        await sleep(pause.endMs - nowMs);
        continue;
      }
      // A read does not reserve a time: it wakes, and looks again.
      const waitMs = this.pace.start(nowMs);
      if (waitMs === 0) return refusedMs;
      this.failIfRefused(nowMs);
      await sleep(waitMs);
      refusedMs += performance.now() - nowMs;
    }
  }

  /** @param sentMs when the request was sent. */
  recordResponse(status: number, sentMs: number): void {
    if (status < 500 && status !== 401 && status !== 408) this.failuresInRow = 0;
    if (status === 200) this.pace.recordSuccess(sentMs);
  }

  /**
   * Records a 429 or 503 that does not say how long to wait.
   *
   * @param failedMs when the same read last failed.
   * @returns whether other reads have succeeded since then, so that a rate limiter may be the cause.
   */
  recordRefusal(sentMs: number, failedMs: number, error: ProjectServiceError): boolean {
    this.refusal = error;
    return this.pace.recordRefusal(error.status as number, sentMs, failedMs);
  }

  private failIfRefused(nowMs: number): void {
    const lastMs = Math.max(this.pace.succeededMs, this.busySinceMs);
    if (this.refusal === undefined || nowMs < lastMs + this.maxRefusedMs) return;
    const { code, message, status } = this.refusal;
    const text = `No read has succeeded for ${this.maxRefusedMs / 1_000} s. The last refusal: ${message}`;
    const error = new ProjectServiceError(code, text, { status });
    this.failWaiting(error);
    throw error;
  }

  private recordFailure(error: unknown): void {
    if (!(error instanceof ProjectServiceError) || !outageCodes.has(error.code)) return;
    if (++this.failuresInRow < Math.max(minRow, this.concurrency)) return;
    this.failWaiting(notSent(error));
  }

  /** @param error one object, because Pulumi prints each object once. */
  private failWaiting(error: ProjectServiceError): void {
    for (const { fail } of this.waiting) fail(error);
    this.waiting = [];
  }
}

function notSent({ code, message, status }: ProjectServiceError): ProjectServiceError {
  const text = `This read was not sent, because earlier reads failed: ${message}`;
  return new ProjectServiceError(code, text, { status });
}

/** The errors that may concern the service as a whole, and not one request. */
const outageCodes = new Set<ProjectServiceErrorCode>([
  "LOGIN_REJECTED",
  "LOGIN_UNAVAILABLE",
  "LOGIN_RESPONSE_INVALID",
  "TOKEN_REFUSED",
  "SERVICE_UNAVAILABLE",
  "UNREACHABLE",
  "TLS_FAILED",
  "TIMEOUT",
]);
