/* Decides the next step after an attempt of a read or a sign-in. Every number for that stands in one table. */
import type { FailureDetails } from "../errors/requestFailure.js";

export const waiting = {
  /** All attempts of a read or a sign-in, without the time for which a rate limiter makes it wait. */
  totalMs: 60_000,
  /** The same with that time: the longest pause, and a minute for the attempts. */
  longestMs: 180_000,
  /** A list, with all its pages and readings. */
  listMs: 300_000,
  /** The longest pause that is waited for. Windows of one minute are the most common. */
  maxPauseMs: 120_000,
  /** If the service asks for a longer pause, all reads fail for this time. */
  refusedMs: 60_000,
  attempts: 3,
  /** Attempts with a status within `quickMs`: a balancer that chooses at random can choose a bad server again. */
  quickAttempts: 5,
  quickMs: 1_000,
  /** Attempts with a status while others succeed. A limiter can refuse 41 %, so twenty consecutive refusals are rare. */
  attemptsBesideOthers: 20,
  /** Before the second attempt without a response. Twice as long before the third. */
  backoffMs: 100,
  /**
   * Before another attempt with a status. While others succeed, the second wait after a failure of a server is twice as
   * long and later ones three times, so that a read is not in step with the others.
   */
  shortBackoffMs: 60,
  /** Others succeed if a read did so within this time and four gaps: longer than a slow response takes. */
  recentMs: 750,
  /** Waiting reads fail if no read has succeeded for so long: longer than a limiter's window of a minute. */
  withoutSuccessMs: 75_000,
  /** The least and the largest gap between the starts of two requests after a refusal. */
  minGapMs: 4,
  maxGapMs: 1_000,
  /** The gap grows by this factor after a refusal. */
  growth: 1.5,
  /**
   * After 503, of a request that was sent before the gap last grew. Simulated with responses after 2 to 200 ms: with 1,
   * single reads fail behind a limiter, and with 1.2, one bad server of three can slow a fleet down.
   */
  growthAgain: 1.15,
  /** After a success: one refusal outweighs eight of them. */
  shrinkAfter429: 0.95,
  /** So the gap grows only if more than 41 % are refused, and not if one of three servers is down. */
  shrinkAfter503: 0.75,
  /** At least so many consecutive failures are an outage, or `maxConcurrency` if that is more. */
  minOutage: 8,
  /** Attempts of a sign-in after 429 or 503: limiters of sign-ins are slow, and jobs can start together. */
  busySignInAttempts: 6,
  /** Before the second of these attempts. Twice as long before the later ones. */
  busySignInMs: 1_400,
  /** A sign-in without a connection, or after 503, if there was a token before: the identity provider restarts. */
  restartMs: 30_000,
  /** A rejected password is not sent again for so long, by the number of rejections: many servers lock a user soon. */
  rejectedMs: [60_000, 600_000, 3_600_000],
  /** Nothing is sent for this time after a 403 without an OAuth error, because a gateway sent it. */
  gatewayMs: 60_000,
  /** The latest time before a token expires at which it is renewed. A fifth of its lifetime if that is less. */
  renewBeforeMs: 30_000,
  /** After a failed renewal, the present token is used for so long before the next one. */
  renewAgainMs: 5_000,
} as const;

/** How an attempt ended. */
export interface Outcome {
  /** Undefined if there is no complete response. A 403 of a limiter counts as 429. */
  readonly status?: number | undefined;
  /** Whether another attempt may succeed. */
  readonly isRetryable: boolean;
  /** How long the service asks to wait. */
  readonly retryAfterMs?: number | undefined;
}

/** The attempts of a read so far. */
export interface History {
  /** The number of attempts before this one, without free ones. */
  attempts: number;
  hasNewToken: boolean;
}

export type Step =
  | "done"
  | "fail"
  | "newToken"
  /** Another attempt follows after some time. A free attempt does not count. */
  | { readonly waitMs: number; readonly isFree?: boolean };

/**
 * Decides what follows an attempt of a read.
 *
 * @param othersSucceed whether a read has succeeded a short time ago.
 * @param elapsedMs since the read had its place.
 * @param leftMs for this read.
 */
export function nextStep(
  { status, isRetryable, retryAfterMs = 0 }: Outcome,
  { attempts, hasNewToken }: History,
  othersSucceed: boolean,
  elapsedMs: number,
  leftMs: number,
): Step {
  if (status === 200) return "done";
  if (status === 401 && !othersSucceed && !hasNewToken) return "newToken";
  if (!isRetryable && status !== 401) return "fail";
  const asksAll = status === 429 || (status === 503 && !othersSucceed);
  if (asksAll && retryAfterMs > waiting.maxPauseMs) return "fail";
  const step = stepAfter(status, attempts + 1, elapsedMs, othersSucceed);
  return typeof step === "object" && step.waitMs < leftMs ? step : "fail";
}

function stepAfter(
  status: number | undefined,
  attempts: number,
  elapsedMs: number,
  othersSucceed: boolean,
): Step {
  const { backoffMs, shortBackoffMs, quickMs } = waiting;
  if (status === undefined) {
    return attempts < waiting.attempts ? { waitMs: backoffMs * attempts } : "fail";
  }
  const isLimited = status === 429;
  // Everybody is refused: the queue ends it.
  if (isLimited && !othersSucceed) return { waitMs: shortBackoffMs, isFree: true };
  const maxAlone = elapsedMs < quickMs ? waiting.quickAttempts : waiting.attempts;
  if (attempts >= (othersSucceed ? waiting.attemptsBesideOthers : maxAlone)) return "fail";
  const isServerOfSeveral = othersSucceed && !isLimited;
  return { waitMs: shortBackoffMs * (isServerOfSeveral ? Math.min(attempts, 3) : 1) };
}

/**
 * Returns how long to wait before a sign-in is repeated, or undefined if it is not repeated. It is repeated only if the
 * identity provider has certainly not checked the password.
 *
 * @param attempts with this one.
 * @param hadToken whether this identity has had a token.
 */
export function signInWaitMs(
  { status, retryAfterMs, isRetryable = false, wasSent = true }: FailureDetails,
  attempts: number,
  hadToken: boolean,
  leftMs: number,
): number | undefined {
  // Not isRefusal: a status that slows reads down may come after the password was checked.
  const isBusy = status === 429 || status === 503;
  if (!isBusy && (wasSent || !isRetryable)) return undefined;
  const isRestart = hadToken && status !== 429;
  const max = isBusy ? waiting.busySignInAttempts : waiting.attempts;
  if (!isRestart && attempts >= max) return undefined;
  const backoffMs = isBusy
    ? waiting.busySignInMs * Math.min(attempts, 2)
    : waiting.backoffMs * Math.min(attempts, 10);
  // A date in Retry-After can be in the past.
  const waitMs = Math.max(retryAfterMs ?? 0, backoffMs);
  return waitMs < leftMs ? waitMs : undefined;
}

/** Returns the limit of one attempt. It is at least 1 s: the program may have blocked the event loop past the end. */
export function attemptLimitMs(attemptMs: number, leftMs: number): number {
  return Math.min(attemptMs, Math.max(1_000, leftMs));
}

/** Returns the limit of all attempts. */
export function totalLimitMs(attemptMs: number): number {
  return Math.max(waiting.totalMs, attemptMs);
}

/** Whether the server may be a rate limiter, or too busy. The queue then slows down, or pauses. */
export function isRefusal(status: number | undefined): boolean {
  return status === 429 || status === 503;
}

/** Returns how many consecutive failures are an outage. */
export function outageSize(concurrency: number): number {
  return Math.max(waiting.minOutage, concurrency);
}

/** Waits are spread, so that reads or jobs which were refused together do not come back together. */
export function spread(waitMs: number): number {
  return waitMs * (0.75 + Math.random() / 2);
}

/** Whether a read may be repeated after a response with this status. 520 to 530 are Cloudflare's. */
export function isRetryableStatus(status: number): boolean {
  const ofCloudflare = status >= 520 && status <= 530 && status !== 528;
  return ofCloudflare || [408, 425, 429, 500, 502, 503, 504, 507, 598].includes(status);
}
