import {
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../errors/projectServiceError.js";
import { openReason, withOpenText } from "../errors/withoutArguments.js";
import { clock, sleep } from "./clock.js";
import { isRefusal, type Outcome, outageSize, waiting } from "./nextStep.js";

/** An attempt that has ended. */
export interface Attempt extends Outcome {
  /** Undefined if it succeeded. */
  readonly error?: ProjectServiceError;
  readonly sentMs: number;
  /** Its number. */
  readonly attempt: number;
}

interface Pause {
  readonly endMs: number;
  /** Reads do not wait for its end, but fail. It counts more than a pause that is waited for. */
  readonly isRefusal: boolean;
  readonly error: ProjectServiceError;
}

/**
 * Holds reads back. A read waits for a place, because few run at the same time. Each of its attempts waits for the end
 * of a pause that the service asks for, or for the gap to the request before: some rate limiters do not say how long to
 * wait.
 *
 * Queued reads fail in an outage: after too many consecutive failures, or a long time without a success.
 */
export class Queue {
  private running = 0;
  private queued: { readonly start: () => void; readonly fail: (error: Error) => void }[] = [];
  private failures = 0;
  private busySinceMs = 0;
  private succeededMs = -Infinity;
  /** Others count as successful for so long after the last success. */
  private recentMs = 0;
  private pause: Pause | undefined;
  private refusal: ProjectServiceError | undefined;
  private startedMs = -Infinity;
  private gapMs = 0;
  private grownMs = -Infinity;
  private shrink: number = waiting.shrinkAfter429;
  private slowSinceMs: number | undefined;
  private slowSuccesses = 0;

  constructor(private readonly concurrency: number) {}

  /** Says that a rate limiter slows the reads down, if it has done so for more than 10 s. */
  get slowness(): string | undefined {
    const nowMs = clock.now();
    const pauseMs = (this.pause?.endMs ?? 0) - nowMs;
    if (pauseMs > 0) return `the service asks to wait ${Math.ceil(pauseMs / 1_000)} s`;
    const slowMs = nowMs - (this.slowSinceMs ?? nowMs);
    if (slowMs <= 10_000) return undefined;
    const perSecond = Math.max(1, Math.round((1_000 * this.slowSuccesses) / slowMs));
    return `a rate limiter slows the reads down to about ${perSecond} per second`;
  }

  /** Runs a read in a place of its own. Queued reads start in order. */
  async run<T>(read: () => Promise<T>): Promise<T> {
    if (this.running === 0) this.busySinceMs = clock.now();
    if (this.running < this.concurrency) this.running++;
    else await new Promise<void>((start, fail) => this.queued.push({ start, fail }));
    try {
      return await read();
    } catch (error) {
      this.countFailure(error);
      throw error;
    } finally {
      const next = this.queued.shift();
      if (next !== undefined)
        next.start(); // in the place of this one
      // When no read is queued, the count ends: it must not outlast an outage.
      else if (--this.running === 0) this.failures = 0;
    }
  }

  /** Waits until an attempt may start. Rejects at once if that is after `endMs`. */
  async turn(endMs: number): Promise<void> {
    for (let nowMs = clock.now(); ; nowMs = clock.now()) {
      const { pause } = this;
      const isPaused = pause !== undefined && nowMs < pause.endMs;
      if (isPaused && (pause.isRefusal || pause.endMs >= endMs)) throw pause.error;
      // An attempt does not reserve a time: it wakes, and looks again, because a success can end a pause early.
      const waitMs = isPaused ? pause.endMs - nowMs : this.startedMs + this.gapMs - nowMs;
      if (waitMs <= 0) {
        this.startedMs = nowMs;
        return;
      }
      this.failIfOnlyRefused(nowMs);
      await sleep(Math.min(waitMs, 200));
    }
  }

  /** Records the end of an attempt. Returns whether a read has succeeded a short time ago. */
  record({ status = 0, retryAfterMs = 0, sentMs, attempt, error }: Attempt): boolean {
    const nowMs = clock.now();
    const isServiceUp = status > 0 && status < 500 && status !== 401 && status !== 408;
    if (isServiceUp) this.failures = 0;
    if (status === 200) this.recordSuccess(nowMs);
    const othersSucceed = nowMs < this.succeededMs + this.recentMs;
    if (error === undefined || !isRefusal(status)) return othersSucceed;
    this.refusal = error;
    const isServiceDown = status === 503 && !othersSucceed;
    // While others succeed, a 503 comes from one server of several. After many attempts, it concerns this project alone.
    const concernsAll = status === 429 || (isServiceDown && attempt <= waiting.attempts);
    if (retryAfterMs > 0 && concernsAll) this.startPause(nowMs, retryAfterMs, error);
    else if (isServiceDown) this.setGap(0, nowMs);
    else this.growGap(nowMs, status, sentMs);
    return othersSucceed;
  }

  private recordSuccess(nowMs: number): void {
    this.succeededMs = nowMs;
    this.slowSuccesses++;
    this.recentMs = waiting.recentMs + 4 * this.gapMs;
    if (this.pause?.error.status === 503) this.pause = undefined;
    this.setGap(this.gapMs < 1 ? 0 : this.gapMs * this.shrink, nowMs);
  }

  /**
   * Requests that were sent before the gap last grew had the gap before. Their refusals do not let it grow again, or after
   * 503 only a little.
   */
  private growGap(nowMs: number, status: number, sentMs: number): void {
    if (sentMs < this.grownMs) {
      if (status === 503) this.setGap(this.gapMs * waiting.growthAgain, nowMs);
      return;
    }
    const gapMs = Math.max(waiting.growth * this.gapMs, waiting.minGapMs);
    this.setGap(gapMs, nowMs);
    this.grownMs = nowMs;
    this.shrink = status === 429 ? waiting.shrinkAfter429 : waiting.shrinkAfter503;
  }

  private setGap(gapMs: number, nowMs: number): void {
    this.gapMs = Math.min(gapMs, waiting.maxGapMs);
    if (gapMs === 0) this.slowSinceMs = undefined;
    else if (this.slowSinceMs === undefined) [this.slowSinceMs, this.slowSuccesses] = [nowMs, 0];
  }

  private startPause(nowMs: number, askedMs: number, error: ProjectServiceError): void {
    const isRefusal = askedMs > waiting.maxPauseMs;
    const endMs = nowMs + (isRefusal ? waiting.refusedMs : askedMs);
    const { pause } = this;
    if (pause && !isRefusal && (pause.isRefusal ? nowMs : endMs) <= pause.endMs) return;
    const text = "This read was not sent, because the service asks to wait";
    this.pause = { endMs, isRefusal, error: unsentError(text, error) };
  }

  /** Ends the queued reads if the service only refuses: for too long after its last pause, or for too long in all. */
  private failIfOnlyRefused(nowMs: number): void {
    const { refusal, pause } = this;
    if (refusal === undefined) return;
    const sinceMs = Math.max(this.succeededMs, this.busySinceMs);
    const sincePauseMs = Math.max(sinceMs, pause?.endMs ?? 0);
    const isTooLong =
      nowMs - sincePauseMs >= waiting.withoutSuccessMs || nowMs - sinceMs >= waiting.longestMs;
    if (!isTooLong) return;
    const seconds = Math.round((nowMs - sinceMs) / 1_000);
    const text = `No read has succeeded for ${seconds} s. The last refusal`;
    throw this.failQueued(unsentError(text, refusal));
  }

  private countFailure(error: unknown): void {
    if (!(error instanceof ProjectServiceError) || !outageCodes.has(error.code)) return;
    if (++this.failures < outageSize(this.concurrency)) return;
    const text = "This read was not sent, because earlier reads failed";
    this.failQueued(unsentError(text, error));
  }

  /** @param error one object, because Pulumi prints each object once. */
  private failQueued(error: ProjectServiceError): ProjectServiceError {
    for (const { fail } of this.queued) fail(error);
    this.queued = [];
    return error;
  }
}

/** Makes the error of other reads. It does not say which read failed, whose argument may be secret. */
function unsentError(start: string, error: ProjectServiceError): ProjectServiceError {
  const { code, status } = error;
  const text = `${start}: ${openReason(error)}`;
  return withOpenText(new ProjectServiceError(code, text, { status }), text);
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
