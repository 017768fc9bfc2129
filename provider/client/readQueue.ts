import {
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../errors/projectServiceError.js";

const minWindow = 8;
const maxWindows = 3;

interface WaitingRead {
  readonly start: () => void;
  readonly fail: (error: Error) => void;
}

/**
 * Limits how many reads run at the same time, and ends an outage of the service early. Waiting reads
 * start in order. A read takes its token and starts its limit of time when it runs, not while it waits.
 *
 * If a window of reads fails without a success, no read starts until a probe has shown whether the
 * service works: a few bad projects must not fail the others. A window is as many reads as run at the
 * same time, at least eight. If the probe fails, or after three windows without a success, all waiting
 * reads fail: they would fail the same way, one after the other. The reads that run are not retried. A
 * success ends all that.
 */
export class ReadQueue {
  private running = 0;
  private waiting: WaitingRead[] = [];
  /** Whether the service works, while a probe is running. */
  private probing: Promise<boolean> | undefined;
  /** How many reads have started. */
  private started = 0;
  /** The reads before this one are not retried: they ran when the service did not work. */
  private retriedFrom = 0;
  /** How many reads failed since the service last showed that it works. */
  private failures = 0;
  /** How many windows failed since then. */
  private windows = 0;
  private readonly window: number;

  /**
   * @param concurrency how many reads run at the same time.
   * @param probe returns whether the service works. Must not reject.
   */
  constructor(
    private readonly concurrency: number,
    private readonly probe: () => Promise<boolean>,
  ) {
    this.window = Math.max(minWindow, concurrency);
  }

  /**
   * Runs a read when it is its turn.
   *
   * @param read receives a function that says whether a failed attempt should be repeated. It waits for
   *   the probe, if one is running.
   */
  async run<T>(read: (mayRetry: () => Promise<boolean>) => Promise<T>): Promise<T> {
    if (this.running >= this.concurrency || this.probing !== undefined) {
      await new Promise<void>((start, fail) => this.waiting.push({ start, fail }));
    } else this.running++;
    const number = this.started++;
    try {
      return await read(async () => {
        await this.probing;
        return number >= this.retriedFrom;
      });
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
    if (!showsWorkingService(status)) return;
    this.failures = 0;
    this.windows = 0;
    this.retriedFrom = 0;
  }

  private startWaiting(): void {
    while (this.running < this.concurrency && this.probing === undefined) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      this.running++;
      next.start();
    }
  }

  private recordFailure(error: unknown): void {
    if (!(error instanceof ProjectServiceError) || !outageCodes.has(error.code)) return;
    this.failures++;
    if (this.failures < this.window || this.probing !== undefined) return;
    if (this.waiting.length === 0) return;
    this.failures = 0;
    this.windows++;
    if (this.windows >= maxWindows) this.failWaiting(error);
    else void this.probeService(error);
  }

  private async probeService(error: ProjectServiceError): Promise<void> {
    const { windows } = this;
    this.probing = this.probe();
    const isWorking = await this.probing;
    this.probing = undefined;
    // A read that was running can have succeeded meanwhile.
    if (!isWorking && this.windows === windows) this.failWaiting(error);
    this.startWaiting();
  }

  /** Fails all waiting reads with one error object, because Pulumi prints each object once. */
  private failWaiting({ code, message, status }: ProjectServiceError): void {
    const { waiting } = this;
    this.waiting = [];
    this.windows = 0;
    this.retriedFrom = this.started;
    const error = new ProjectServiceError(
      code,
      `This read was not sent, because earlier reads failed: ${message}`,
      { status },
    );
    for (const { fail } of waiting) fail(error);
  }
}

/** Whether a status shows that the service works and accepts the token. */
export function showsWorkingService(status: number): boolean {
  return status < 500 && status !== 401 && status !== 408 && status !== 429;
}

/** The errors that may concern the service as a whole, and not one request. */
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
