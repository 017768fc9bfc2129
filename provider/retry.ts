import { setTimeout as sleep } from "node:timers/promises";
import type { ProjectServiceError } from "./errors.js";

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
  sleep(ms: number): Promise<unknown>;
  /** From 0 to 1. */
  random(): number;
  nowMs(): number;
}

const realEnvironment: RetryEnvironment = {
  sleep: (ms) => sleep(ms),
  random: () => Math.random(),
  nowMs: () => performance.now(),
};

const maxAttempts = 3;
const totalMs = 60_000;
const baseDelayMs = 100;
const maxDelayMs = 5_000;
const maxRetryAfterMs = 30_000;
const noticeableMs = 2_000;

const fullBudget = 500;
const retryCost = 14;
const successRefund = 1;

/**
 * Repeats what failed in passing: 3 attempts, 60 s in all, with full jitter between them.
 *
 * The retries of one service have one budget. A retry costs 14 of 500, which come back if it
 * succeeds: an outage is met with 35 more requests, however many projects are read, and a service
 * that fails every first attempt is still read to the end.
 */
export class Retry {
  private budget = fullBudget;

  constructor(
    private readonly onWait: WaitListener,
    private readonly environment: RetryEnvironment = realEnvironment,
  ) {}

  /**
   * @param attempt is given the time that is left, in ms; throws {@link Transient} to be repeated.
   * @throws the last attempt's error.
   */
  async run<T>(attempt: (remainingMs: number) => Promise<T>): Promise<T> {
    const endMs = this.environment.nowMs() + totalMs;
    for (let number = 1; ; number++) {
      const remainingMs = endMs - this.environment.nowMs();
      try {
        const result = await attempt(remainingMs);
        this.refund(number === 1 ? successRefund : retryCost);
        return result;
      } catch (failure) {
        if (!(failure instanceof Transient)) throw failure;
        const waitMs = this.waitAfter(failure, number);
        if (this.environment.nowMs() + waitMs >= endMs || !this.mayRetry(number)) {
          throw failure.error;
        }
        if (waitMs > noticeableMs) this.onWait(failure.error.message, waitMs);
        await this.environment.sleep(waitMs);
      }
    }
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
