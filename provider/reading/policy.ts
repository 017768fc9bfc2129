/* Decides what follows an attempt of a read or a sign-in, and what attempts say about the service. */
import type { ProjectServiceError } from "../errors/projectServiceError.js";
import type { FailureDetails } from "../errors/requestFailure.js";

export const policy = {
  /** All attempts of a read or a sign-in, without the time between them. */
  totalMs: 60_000,
  /** The same with that time: the longest pause, and a minute for the attempts. */
  longestMs: 180_000,
  /** A list, with all its pages. */
  listMs: 300_000,
  /** While more of a pause is left, reads do not wait but fail. Windows of one minute are the most common. */
  maxPauseMs: 120_000,
  /** Later attempts start no pause after 503: others may succeed meanwhile. */
  pausingAttempts: 3,
  /** Between the attempts of a read while nobody succeeds, or of a sign-in that was not received: a short restart. */
  aloneMs: [100, 400, 1_200, 3_000],
  /** Attempts of a read while others succeed. A limiter can refuse 41 %, so twenty consecutive refusals are rare. */
  attemptsBesideOthers: 20,
  /** Before these attempts. Twice as long after the second failure, and then three times: not in step with others. */
  besideOthersMs: 60,
  /** So many consecutive failures are those of the service, or `maxConcurrency` if that is more. */
  minOutage: 8,
  /** Reads end if the service has only refused them for so long: longer than a limiter's window of a minute. */
  withoutSuccessMs: 75_000,
  /** The least and the largest gap between the starts of two requests after a refusal. */
  minGapMs: 4,
  maxGapMs: 1_000,
  /** The gap grows by this factor after a refusal. */
  growth: 1.5,
  /** After a success: one refusal outweighs eight of them. */
  shrinkAfter429: 0.95,
  /** So the gap grows only if more than 41 % are refused, and not if one of three servers is down. */
  shrinkAfter503: 0.75,
  /** Between the attempts of a sign-in after 429 or 503: limiters of sign-ins are slow, and jobs can start together. */
  busySignInMs: [1_400, 2_800, 2_800, 2_800, 2_800],
  /** The least and the longest time before a password is sent again after the first `invalid_grant`. */
  secondSignInMs: [2_000, 5_000],
  /** A rejected password is not sent again for so long: many servers lock a user soon. */
  rejectedMs: 600_000,
  /** No password is sent for this time after a 403 without an OAuth error, because a gateway sent it. */
  gatewayMs: 60_000,
  /** The latest time before a token expires at which it is renewed. A fifth of its lifetime if that is less. */
  renewBeforeMs: 30_000,
} as const;

/** An attempt that has ended. Times are values of `clock.now()`. */
export interface Attempt {
  /** Undefined if there is no complete response. A 403 of a limiter counts as 429. */
  readonly status?: number | undefined;
  /** Whether another attempt may succeed. */
  readonly isRetryable: boolean;
  /** How long the service asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** Undefined if it succeeded. */
  readonly error?: ProjectServiceError;
  readonly sentMs: number;
  readonly endMs: number;
}

/** The attempts of a read so far. */
export interface History {
  readonly attempts: number;
  /** Those while nobody succeeded, since another read last did. */
  readonly attemptsAlone: number;
  /** The successes of all reads, when these attempts were counted. */
  readonly successes: number;
  readonly spentMs: number;
  /** Default false. */
  readonly hasNewToken?: boolean;
}

export const noAttempts: History = { attempts: 0, attemptsAlone: 0, successes: 0, spentMs: 0 };

/** What attempts say about the service, until no read runs. The pause and the gap stay longer. */
export interface ServiceState {
  readonly successes: number;
  /** When a read last succeeded, or before that, when the first one started. */
  readonly successMs: number;
  /** Consecutive failed attempts. */
  readonly failedAttempts: number;
  /** Reads that failed for good, without a response below 500 in between, and the last such failure. */
  readonly failedReads: number;
  readonly failure?: ProjectServiceError;
  /** The last 429 since a success. */
  readonly refusal?: ProjectServiceError | undefined;
  /** For which the service asks. */
  readonly pause: { readonly endMs: number; readonly error?: ProjectServiceError | undefined };
  /** Between the starts of two requests. */
  readonly gap: { readonly ms: number; readonly grownMs: number; readonly shrink: number };
}

/** The state when a first read starts. */
export function startedState(nowMs: number, earlier?: ServiceState): ServiceState {
  const {
    pause = { endMs: -Infinity },
    gap = { ms: 0, grownMs: -Infinity, shrink: policy.shrinkAfter429 },
  } = earlier ?? {};
  return { successes: 0, successMs: nowMs, failedAttempts: 0, failedReads: 0, pause, gap };
}

/** @param attempts of this read, with this one. */
export function stateAfter(
  state: ServiceState,
  attempt: Attempt,
  attempts: number,
  concurrency: number,
): ServiceState {
  const { status = 0, retryAfterMs = 0, endMs, error } = attempt;
  const { gap, pause } = state;
  const isServiceUp = status > 0 && status < 500 && status !== 401 && status !== 408;
  const failedReads = isServiceUp ? 0 : state.failedReads;
  if (error === undefined) {
    return {
      successes: state.successes + 1,
      successMs: endMs,
      failedAttempts: 0,
      failedReads,
      pause: pause.error?.status === 503 ? { endMs } : pause,
      gap: { ...gap, ms: gap.ms < 1 ? 0 : gap.ms * gap.shrink },
    };
  }
  const isLimited = status === 429;
  const failedAttempts = isLimited ? 0 : state.failedAttempts + 1;
  const refusal = isLimited ? error : state.refusal;
  const counted = { ...state, failedAttempts, failedReads, refusal };
  const isDown = status === 503 && !othersSucceed(counted, concurrency);
  // While others succeed, a 503 comes from one server of several. After many attempts, it concerns this project alone.
  const concernsAll = isLimited || (isDown && attempts <= policy.pausingAttempts);
  if (retryAfterMs > 0 && concernsAll) {
    const pauseEndMs = endMs + retryAfterMs;
    return pauseEndMs > pause.endMs ? { ...counted, pause: { endMs: pauseEndMs, error } } : counted;
  }
  if (isDown) return { ...counted, gap: { ...gap, ms: 0 } };
  // A request that was sent before the gap last grew had the gap before.
  if ((!isLimited && status !== 503) || attempt.sentMs < gap.grownMs) return counted;
  const ms = Math.min(Math.max(gap.ms * policy.growth, policy.minGapMs), policy.maxGapMs);
  const shrink = isLimited ? policy.shrinkAfter429 : policy.shrinkAfter503;
  return { ...counted, gap: { ms, grownMs: endMs, shrink } };
}

/** Whether the service can be read, as other reads show. */
export function othersSucceed(state: ServiceState, concurrency: number): boolean {
  return state.successes > 0 && state.failedAttempts < outageSize(concurrency);
}

/** Counts a read that failed for good. */
export function stateAfterFailure(state: ServiceState, failure: ProjectServiceError): ServiceState {
  return { ...state, failedReads: state.failedReads + 1, failure };
}

/** Returns why no read has to wait any longer, if so: an outage, or refusals for too long after the last pause or in all. */
export function endOfWaiting(
  { failedReads, failure, refusal, successMs, pause }: ServiceState,
  concurrency: number,
  nowMs: number,
): ProjectServiceError | undefined {
  if (failedReads >= outageSize(concurrency)) return failure;
  const sincePauseMs = nowMs - Math.max(successMs, pause.endMs);
  const isTooLong =
    sincePauseMs >= policy.withoutSuccessMs || nowMs - successMs >= policy.longestMs;
  return isTooLong ? refusal : undefined;
}

/** Says that a rate limiter slows the reads down, if it does so much. */
export function slownessOf({ pause, gap }: ServiceState, nowMs: number): string | undefined {
  const pauseMs = pause.endMs - nowMs;
  if (pauseMs > 0) return `the service asks to wait ${Math.ceil(pauseMs / 1_000)} s`;
  const perSecond = Math.round(1_000 / gap.ms);
  if (perSecond > 100) return undefined;
  return `a rate limiter slows the reads down to about ${perSecond} per second`;
}

/** Returns how many consecutive failures are an outage. */
export function outageSize(concurrency: number): number {
  return Math.max(policy.minOutage, concurrency);
}

export type Step =
  | "done"
  | "fail"
  /** Another attempt follows at once, with a new token. */
  | "newToken"
  /** Another attempt follows after some time. */
  | { readonly waitMs: number };

/**
 * Counts an attempt. The count of a read that is alone starts anew when another read succeeds. A refusal without
 * Retry-After counts only if another read has succeeded since the last one.
 */
export function historyAfter(
  history: History,
  { status, retryAfterMs = 0, sentMs, endMs }: Attempt,
  state: ServiceState,
  concurrency: number,
): History {
  const { successes } = state;
  const isSame = successes === history.successes;
  // Everybody is refused: the queue ends it.
  const isFree = status === 429 && retryAfterMs === 0 && isSame;
  const isAlone = !othersSucceed(state, concurrency);
  return {
    ...history,
    attempts: history.attempts + (isFree ? 0 : 1),
    attemptsAlone: isAlone ? (isSame ? history.attemptsAlone : 0) + 1 : 0,
    successes,
    spentMs: history.spentMs + endMs - sentMs,
  };
}

/**
 * Decides what follows an attempt of a read.
 *
 * @param history with this attempt.
 * @param leftMs for this read.
 */
export function nextStep(
  { status, isRetryable }: Pick<Attempt, "status" | "isRetryable">,
  { attempts, attemptsAlone, hasNewToken = false }: History,
  leftMs: number,
): Step {
  const { aloneMs, besideOthersMs, attemptsBesideOthers } = policy;
  const isAlone = attemptsAlone > 0;
  if (status === 200) return "done";
  if (status === 401 && isAlone && !hasNewToken) return "newToken";
  if ((!isRetryable && status !== 401) || attempts >= attemptsBesideOthers) return "fail";
  const besideMs = besideOthersMs * (status === 429 ? 1 : Math.min(attempts, 3));
  const waitMs = isAlone && status !== 429 ? aloneMs[attemptsAlone - 1] : besideMs;
  return waitMs !== undefined && waitMs < leftMs ? { waitMs } : "fail";
}

/**
 * Returns how long to wait before a sign-in is repeated, or undefined if it is not repeated. It is repeated only if the
 * identity provider has certainly not checked the password.
 *
 * @param attempts with this one.
 */
export function signInWaitMs(
  { status, retryAfterMs = 0, isRetryable = false, wasSent = true }: FailureDetails,
  attempts: number,
  leftMs: number,
): number | undefined {
  // A password may have been checked before any other status.
  const isBusy = status === 429 || status === 503;
  if (!isBusy && (wasSent || !isRetryable)) return undefined;
  const backoffMs = (isBusy ? policy.busySignInMs : policy.aloneMs)[attempts - 1];
  if (backoffMs === undefined) return undefined;
  // A date in Retry-After can be in the past.
  const waitMs = Math.max(retryAfterMs, backoffMs);
  return waitMs < leftMs ? waitMs : undefined;
}

/** Returns the limit of one attempt. It is at least 1 s: the program may have blocked the event loop past the end. */
export function attemptLimitMs(attemptMs: number, leftMs: number): number {
  return Math.min(attemptMs, Math.max(1_000, leftMs));
}

/** Returns the limit of all attempts. */
export function totalLimitMs(attemptMs: number): number {
  return Math.max(policy.totalMs, attemptMs);
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
