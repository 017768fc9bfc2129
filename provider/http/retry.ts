import {
  isTlsCode,
  RetryableError,
  TimeoutError,
  TransportError,
} from "../errors/internalErrors.js";
import { type Clock, sleep, systemClock } from "./clock.js";
import { firstToEnd, startLimit, type TimeLimit, type TimeLimits } from "./limits.js";

/** Called before a wait that a user would notice, with a message: the reason and the duration. */
export type WaitListener = (message: string) => void;

export interface RetryEnvironment {
  readonly clock: Clock;
  /** Returns a number from 0 to 1. */
  random(): number;
}

const realEnvironment: RetryEnvironment = { clock: systemClock, random: () => Math.random() };

const maxAttempts = 3;
const baseDelayMs = 100;
const maxDelayMs = 5_000;
const maxRetryAfterMs = 30_000;
const noticeableMs = 2_000;

const minBudget = 500;
const retryCost = 14;
const successRefund = 1;
const refillMs = 60_000;

/**
 * Retries requests: at most three attempts, within the limits of time, with full jitter between them.
 *
 * All retries of one service share a budget of 500 points, or of 14 points for each request that may
 * run at the same time, if that is more. A retry costs 14 points, which a success gives back. So an
 * outage causes a limited number of retries, however many projects are read, while a service that
 * fails every first attempt is still read completely. A minute without retries refills the budget.
 */
export class Retry {
  private budget: number;
  private lastRetryMs = -Infinity;
  private readonly fullBudget: number;

  /** @param concurrency how many requests run at the same time. Each may be repeated once. */
  constructor(
    private readonly limits: TimeLimits,
    private readonly onWait: WaitListener,
    private readonly environment: RetryEnvironment = realEnvironment,
    concurrency = 1,
  ) {
    this.fullBudget = Math.max(minBudget, concurrency * retryCost);
    this.budget = this.fullBudget;
  }

  /**
   * Runs a request, and repeats it after a {@link RetryableError}.
   *
   * @param attempt receives the limit that ends it.
   * @param outer a limit that also ends the request, for instance that of a whole list.
   * @param mayRetry asked before each retry, with the limit of the whole request.
   * @throws the error of the last attempt.
   */
  async run<T>(
    attempt: (limit: TimeLimit) => Promise<T>,
    outer?: TimeLimit,
    mayRetry: (limit: TimeLimit) => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<T> {
    const { clock } = this.environment;
    let startMs = clock.monotonicMs();
    const total = firstToEnd(startLimit("request", startMs, this.limits.totalMs), outer);
    for (let number = 1; ; number++) {
      const limit = firstToEnd(startLimit("attempt", startMs, this.limits.attemptMs), total);
      try {
        const result = await attempt(limit);
        this.refund(number === 1 ? successRefund : retryCost);
        return result;
      } catch (failure) {
        if (!(failure instanceof RetryableError)) throw failure;
        const waitMs = this.waitAfter(failure, number);
        const canRetry = number < maxAttempts && (await mayRetry(total).catch(() => false));
        if (!canRetry || clock.monotonicMs() + waitMs >= total.endMs || !this.takeRetry()) {
          throw failure.error;
        }
        if (waitMs > noticeableMs) {
          this.onWait(`${failure.error.message} Next attempt in ${Math.round(waitMs / 1_000)} s.`);
        }
        await sleep(clock, waitMs);
        startMs = clock.monotonicMs();
      }
    }
  }

  /** Runs a request that must not be repeated. */
  once<T>(attempt: (limit: TimeLimit) => Promise<T>): Promise<T> {
    const startMs = this.environment.clock.monotonicMs();
    return attempt(startLimit("attempt", startMs, this.limits.attemptMs));
  }

  private waitAfter({ retryAfterMs }: RetryableError, number: number): number {
    if (retryAfterMs === undefined) {
      return this.environment.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** number);
    }
    return retryAfterMs > maxRetryAfterMs ? Infinity : retryAfterMs;
  }

  private takeRetry(): boolean {
    const nowMs = this.environment.clock.monotonicMs();
    if (nowMs - this.lastRetryMs >= refillMs) this.budget = this.fullBudget;
    if (this.budget < retryCost) return false;
    this.budget -= retryCost;
    this.lastRetryMs = nowMs;
    return true;
  }

  private refund(amount: number): void {
    this.budget = Math.min(this.fullBudget, this.budget + amount);
  }
}

/** Whether a read may be repeated after a response with this status. */
export function isRetryableStatus(status: number): boolean {
  return [408, 429, 500, 502, 503, 504].includes(status);
}

/** Whether a read may be repeated after this error: the next attempt may find a working connection. */
export function isRetryableError(error: unknown): boolean {
  if (error instanceof TimeoutError) return true;
  if (!(error instanceof TransportError)) return false;
  const { kind, code } = error;
  // A proxy that refuses does so with a status.
  return kind === "network" || (kind === "proxy" && !/^\d+$/.test(code) && !isTlsCode(code));
}

/**
 * Whether a sign-in may be repeated after a response with this status: the identity provider has not
 * checked the password. After a few rejected passwords, some servers lock the user.
 */
export function isRetryableSignInStatus(status: number): boolean {
  return status === 429 || status === 503;
}

/** Whether a sign-in may be repeated after this error: there was no connection to the server. */
export function isRetryableSignInError(error: unknown): boolean {
  return (
    error instanceof TransportError &&
    ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"].includes(error.code)
  );
}

/**
 * Returns the wait that a Retry-After header asks for, in ms. The header has seconds or an HTTP date.
 * Anything else counts as absent: `Date.parse` would find a year in many texts.
 */
export function retryAfterMs(header: string | undefined, wallMs = Date.now()): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // The last of the three forms is in GMT without saying so.
  const date = httpDate.test(text) ? Date.parse(`${text.replace(/ GMT$/, "")} GMT`) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - wallMs);
}

/** The three forms of RFC 9110, section 5.6.7, such as `Sun, 06 Nov 1994 08:49:37 GMT`. */
const httpDate =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT|[a-z]*, \d{2}-[A-Z][a-z]{2}-\d{2} [\d:]{8} GMT| [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;
