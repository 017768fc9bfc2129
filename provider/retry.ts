import { type Clock, sleep, systemClock } from "./clock.js";
import type { ProjectServiceError } from "./errors.js";
import { firstToEnd, limitFrom, type TimeLimit, type TimeLimits } from "./timeLimits.js";

/** A failure that may pass: the error it is if it does not, and when the server wants to be asked again. */
export class Transient extends Error {
  constructor(
    readonly error: ProjectServiceError,
    readonly retryAfterMs?: number | undefined,
  ) {
    super(error.message);
  }
}

/** Told of a wait that a person would notice: what is waited for, and how long. */
export type WaitListener = (reason: string, waitMs: number) => void;

export interface RetryEnvironment {
  readonly clock: Clock;
  /** From 0 to 1. */
  random(): number;
}

const realEnvironment: RetryEnvironment = { clock: systemClock, random: () => Math.random() };

const maxAttempts = 3;
const baseDelayMs = 100;
const maxDelayMs = 5_000;
const maxRetryAfterMs = 30_000;
const noticeableMs = 2_000;

const fullBudget = 500;
const retryCost = 14;
const successRefund = 1;

/**
 * Repeats requests that failed in passing: three attempts within the limits of time, with full
 * jitter between them.
 *
 * The retries of one service share a budget. A retry costs 14 of 500 points, which come back if it
 * succeeds. An outage therefore causes at most 35 retries, however many projects are read. A service
 * that fails every first attempt is still read to the end.
 */
export class Retry {
  private budget = fullBudget;

  constructor(
    private readonly limits: TimeLimits,
    private readonly onWait: WaitListener,
    private readonly environment: RetryEnvironment = realEnvironment,
  ) {}

  /**
   * @param attempt receives the limit that ends it; throws {@link Transient} to be repeated.
   * @param outer a limit that also ends the request, for instance that of a whole list.
   * @throws the last attempt's error.
   */
  async run<T>(attempt: (limit: TimeLimit) => Promise<T>, outer?: TimeLimit): Promise<T> {
    const { clock } = this.environment;
    let startMs = clock.monotonicMs();
    const total = firstToEnd(limitFrom("request", startMs, this.limits.totalMs), outer);
    for (let number = 1; ; number++) {
      const limit = firstToEnd(limitFrom("attempt", startMs, this.limits.attemptMs), total);
      try {
        const result = await attempt(limit);
        this.refund(number === 1 ? successRefund : retryCost);
        return result;
      } catch (failure) {
        if (!(failure instanceof Transient)) throw failure;
        const waitMs = this.waitAfter(failure, number);
        if (clock.monotonicMs() + waitMs >= total.endMs || !this.mayRetry(number)) {
          throw failure.error;
        }
        if (waitMs > noticeableMs) this.onWait(failure.error.message, waitMs);
        await sleep(clock, waitMs);
        startMs = clock.monotonicMs();
      }
    }
  }

  /** Runs a request that is never repeated. */
  once<T>(attempt: (limit: TimeLimit) => Promise<T>): Promise<T> {
    const { clock } = this.environment;
    return attempt(limitFrom("attempt", clock.monotonicMs(), this.limits.attemptMs));
  }

  private waitAfter({ retryAfterMs }: Transient, number: number): number {
    if (retryAfterMs === undefined) {
      return this.environment.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** number);
    }
    return retryAfterMs > maxRetryAfterMs ? Infinity : retryAfterMs;
  }

  private mayRetry(number: number): boolean {
    if (number >= maxAttempts || this.budget < retryCost) return false;
    this.budget -= retryCost;
    return true;
  }

  private refund(amount: number): void {
    this.budget = Math.min(fullBudget, this.budget + amount);
  }
}

/** Statuses that say "not now" and not "never". */
export function isTransientStatus(status: number): boolean {
  return [408, 429, 500, 502, 503, 504].includes(status);
}

/** What a Retry-After header asks for, in ms: it holds seconds or a date. */
export function retryAfterMs(header: string | undefined, wallMs = Date.now()): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - wallMs);
}
