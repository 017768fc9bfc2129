/* When to repeat a sign-in whose password was not checked. Also the constants of sign-ins, some of which reads share. */
import type { FailureDetails } from "../errors/requestFailure.js";

export const signInPolicy = {
  /** All attempts of a read or a sign-in, without the time between them. */
  totalMs: 60_000,
  /**
   * Between attempts that were not received, and between those of a read while nobody succeeds: a short restart. After
   * the last wait, one more attempt follows: five in all.
   */
  aloneMs: [100, 400, 1_200, 3_000],
  /** Between attempts after 429 or 503: limiters of sign-ins are slow, and jobs can start together. */
  busyMs: [1_400, 2_800, 2_800, 2_800, 2_800],
  /** The least and the longest time before a password is sent again after the first `invalid_grant`. */
  secondMs: [2_000, 5_000],
  /** A rejected password is not sent again for so long: many servers lock a user soon. */
  rejectedMs: 600_000,
  /** The latest time before a token expires at which it is renewed. A fifth of its lifetime if that is less. */
  renewBeforeMs: 30_000,
} as const;

/** Returns how long to wait before a sign-in is repeated whose password the identity provider has certainly not checked. */
export function signInWaitMs(
  { status, retryAfterMs = 0, isRetryable = false, wasSent = true }: FailureDetails,
  attempts: number,
  leftMs: number,
): number | undefined {
  // A password may have been checked before any other status.
  const isBusy = status === 429 || status === 503;
  if (!isBusy && (wasSent || !isRetryable)) return undefined;
  const backoffMs = (isBusy ? signInPolicy.busyMs : signInPolicy.aloneMs)[attempts - 1];
  if (backoffMs === undefined) return undefined;
  // A date in Retry-After can be in the past.
  const waitMs = Math.max(retryAfterMs, backoffMs);
  return waitMs < leftMs ? waitMs : undefined;
}

/** Returns the limit of one attempt. It is at least 1 s: the program may have blocked the event loop past the end. */
export function attemptLimitMs(attemptMs: number, leftMs: number): number {
  return Math.min(attemptMs, Math.max(1_000, leftMs));
}

export function totalLimitMs(attemptMs: number): number {
  return Math.max(signInPolicy.totalMs, attemptMs);
}

/** Waits are spread, so that reads or jobs which were refused together do not come back together. */
export function spread(waitMs: number): number {
  return waitMs * (0.75 + Math.random() / 2);
}
