import {
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../errors/projectServiceError.js";
import { sleep } from "./deadline.js";

interface WaitingRead {
  readonly limitMs: number;
  readonly start: () => void;
  readonly fail: (error: Error) => void;
}

/** A row of failed reads is at least so long before the waiting reads fail. */
const minRow = 8;

/**
 * Limits how many reads run at the same time. Waiting reads start in order.
 *
 * If as many reads in a row as may run at the same time have failed, the waiting reads fail too: they would
 * fail the same way, one after the other. No read starts while the service asks to wait.
 */
export class Gate {
  private running = 0;
  private waiting: WaitingRead[] = [];
  private failuresInRow = 0;
  private pause:
    | {
        readonly endMs: number;
        readonly error: ProjectServiceError;
        readonly timer: NodeJS.Timeout;
      }
    | undefined;

  constructor(private readonly concurrency: number) {}

  /** @param limitMs the time that the read may take when it has started. */
  async run<T>(limitMs: number, read: () => Promise<T>): Promise<T> {
    if (this.pause !== undefined && this.pauseMs() >= limitMs) throw notSent(this.pause.error);
    if (this.running < this.concurrency && this.pause === undefined) this.running++;
    else {
      this.pause?.timer.ref();
      await new Promise<void>((start, fail) => this.waiting.push({ limitMs, start, fail }));
    }
    try {
      return await read();
    } catch (error) {
      this.recordFailure(error);
      throw error;
    } finally {
      this.running--;
      this.startWaiting();
    }
  }

  /** Records that the service responded with this status. */
  recordResponse(status: number): void {
    if (status < 500 && status !== 401 && status !== 408) this.failuresInRow = 0;
  }

  /** Lets no read start for some time. Reads that could not start in time fail now. */
  startPause(waitMs: number, error: ProjectServiceError): void {
    const endMs = performance.now() + waitMs;
    if (this.pause !== undefined && this.pause.endMs >= endMs) return;
    clearTimeout(this.pause?.timer);
    this.failWaiting(error, ({ limitMs }) => limitMs <= waitMs);
    const timer = setTimeout(() => {
      this.pause = undefined;
      this.startWaiting();
    }, waitMs);
    if (this.waiting.length === 0) timer.unref(); // a process that waits for nothing may end
    this.pause = { endMs, error, timer };
  }

  /** Waits until no pause is left. Rejects at once if that is after `endMs`. */
  async waitForPause(endMs: number): Promise<void> {
    while (this.pause !== undefined) {
      if (this.pause.endMs >= endMs) throw notSent(this.pause.error);
      await sleep(this.pauseMs());
    }
  }

  private pauseMs(): number {
    return this.pause === undefined ? 0 : this.pause.endMs - performance.now();
  }

  private startWaiting(): void {
    while (this.running < this.concurrency && this.pause === undefined) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      this.running++;
      next.start();
    }
  }

  private recordFailure(error: unknown): void {
    if (!(error instanceof ProjectServiceError) || !outageCodes.has(error.code)) return;
    if (++this.failuresInRow >= Math.max(minRow, this.concurrency)) this.failWaiting(error);
  }

  private failWaiting(
    cause: ProjectServiceError,
    isAffected: (read: WaitingRead) => boolean = () => true,
  ): void {
    const error = notSent(cause); // one object, because Pulumi prints each object once
    const affected = this.waiting.filter(isAffected);
    this.waiting = this.waiting.filter((read) => !isAffected(read));
    for (const { fail } of affected) fail(error);
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
