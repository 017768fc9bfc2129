/* Decides what follows an attempt of a read, and what attempts say about the service. */
import { ProjectServiceError } from "../errors/projectServiceError.js";
import { signInPolicy } from "../http/signInPolicy.js";

/** `signInPolicy` has the constants of a sign-in, and those that a read shares with it. */
export const policy = {
  /** A read, with the time between its attempts: the longest pause, and a minute for the attempts. */
  longestMs: 180_000,
  /** A list, with all its pages. */
  listMs: 300_000,
  /** While more of a pause is left, reads do not wait but fail. Windows of one minute are the most common. */
  maxPauseMs: 120_000,
  /** Later attempts start a pause only after 429: others may succeed meanwhile. */
  pausingAttempts: 3,
  /** Attempts of a read while others succeed. A limiter can refuse 41 %, so twenty consecutive refusals are rare. */
  attemptsBesideOthers: 20,
  /** Before these attempts. Twice as long after the second failure, and then three times: not in step with others. */
  besideOthersMs: 60,
  /** So many consecutive failures are those of the service, or `maxConcurrency` if that is more. */
  minOutage: 8,
  /** The least and the largest gap between the starts of two requests after a refusal. */
  minGapMs: 4,
  maxGapMs: 1_000,
  /** The gap grows by this factor after a refusal. */
  growth: 1.5,
  /** After a success: one refusal outweighs eight of them. */
  shrinkAfter429: 0.95,
  /** So the gap grows only if more than 41 % are refused, and not if one of three servers is down. */
  shrinkAfter503: 0.75,
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

/** What attempts say about the service. */
export interface ServiceState {
  /** Consecutive failed attempts since a success, without a 429 in between. Infinity before the first success. */
  readonly failedAttempts: number;
  /** The errors of the last reads, which all failed for good. A response that shows that the service is up empties it. */
  readonly failedReads: readonly ProjectServiceError[];
  /** When a read last succeeded, or before that, when the first one started. */
  readonly successMs: number;
  /** Between the starts of two requests. */
  readonly gapMs: number;
  readonly grownMs: number;
  /** The factor of the gap after a success. */
  readonly shrink: number;
  /** When an attempt last started. */
  readonly startedMs: number;
  /** The last pause that the service asked for, and the error of the response that did. */
  readonly pause: { readonly endMs: number; readonly error?: ProjectServiceError };
}

const initialState: Omit<ServiceState, "successMs"> = {
  failedAttempts: Infinity,
  failedReads: [],
  gapMs: 0,
  grownMs: -Infinity,
  shrink: 1,
  startedMs: -Infinity,
  pause: { endMs: -Infinity },
};

/** The state when a read starts alone: what earlier ones showed may be over. */
export function startedState(successMs: number): ServiceState {
  return { ...initialState, successMs };
}

/** @param attempts of this read, with this one. */
export function stateAfter(
  state: ServiceState,
  { status = 0, isRetryable, retryAfterMs = 0, error, sentMs, endMs }: Attempt,
  attempts: number,
  concurrency: number,
): ServiceState {
  const { failedAttempts, gapMs, pause } = state;
  const isServiceUp = status > 0 && status < 500 && ![401, 408, 429].includes(status);
  const failedReads = isServiceUp ? [] : state.failedReads;
  if (error === undefined) {
    const isOver = pause.endMs <= endMs || pause.error?.code !== "RATE_LIMITED";
    return {
      ...state,
      failedAttempts: 0,
      failedReads,
      successMs: endMs,
      gapMs: gapMs < 1 ? 0 : gapMs * state.shrink,
      pause: isOver ? { endMs: Math.min(pause.endMs, endMs) } : pause,
    };
  }
  const isLimited = status === 429;
  const counted = {
    ...state,
    failedAttempts: isLimited && failedAttempts < Infinity ? 0 : failedAttempts + 1,
    failedReads,
  };
  const isAlone = !othersSucceed(counted, concurrency);
  // While others succeed, an error comes from one server of several. After many attempts, it concerns this project alone.
  const concernsAll = isLimited || (isRetryable && isAlone && attempts <= policy.pausingAttempts);
  if (retryAfterMs > 0 && concernsAll) {
    const pauseEndMs = endMs + retryAfterMs;
    return pauseEndMs > pause.endMs ? { ...counted, pause: { endMs: pauseEndMs, error } } : counted;
  }
  if (status === 503 && isAlone) return { ...counted, gapMs: 0 };
  // A request that was sent before the gap last grew had the gap before.
  if ((!isLimited && status !== 503) || sentMs < state.grownMs) return counted;
  return {
    ...counted,
    gapMs: Math.min(Math.max(gapMs * policy.growth, policy.minGapMs), policy.maxGapMs),
    grownMs: endMs,
    shrink: isLimited ? policy.shrinkAfter429 : policy.shrinkAfter503,
  };
}

/** The errors that may concern the service as a whole, and not one request. */
const outageCodes =
  /^(LOGIN_\w+|TOKEN_REFUSED|RATE_LIMITED|SERVICE_UNAVAILABLE|UNREACHABLE|TLS_FAILED|TIMEOUT)$/;

/** Counts a read that failed for good. */
export function stateAfterFailure(state: ServiceState, error: unknown): ServiceState {
  if (!(error instanceof ProjectServiceError) || !outageCodes.test(error.code)) return state;
  return { ...state, failedReads: [...state.failedReads, error] };
}

export function nextStartMs({ pause, startedMs, gapMs }: ServiceState): number {
  return Math.max(pause.endMs, startedMs + gapMs);
}

/** Returns the refusal with which a read fails that may wait until `endMs`, if it would have to wait too long. */
export function pauseError(
  { pause: { endMs: pauseEndMs, error } }: ServiceState,
  endMs: number,
  nowMs: number,
): ProjectServiceError | undefined {
  return pauseEndMs - nowMs > policy.maxPauseMs || pauseEndMs >= endMs ? error : undefined;
}

/**
 * Returns the error with which waiting reads fail, if there is an outage. A rate limiter is one if it lets nobody pass:
 * with `maxConcurrency` 1, eight reads would otherwise wait three minutes each.
 */
export function outageError(
  { failedReads, successMs }: ServiceState,
  concurrency: number,
  nowMs: number,
): ProjectServiceError | undefined {
  const error = failedReads.at(-1);
  const isRefused = error?.code === "RATE_LIMITED" && nowMs - successMs >= policy.longestMs;
  return isRefused || failedReads.length >= outageSize(concurrency) ? error : undefined;
}

/** Says that refusals slow the reads down, if they do so much. */
export function slownessOf({ pause, gapMs }: ServiceState, nowMs: number): string | undefined {
  const pauseMs = pause.endMs - nowMs;
  if (pauseMs > 0) return `the service asks to wait ${Math.ceil(pauseMs / 1_000)} s`;
  const perSecond = Math.round(1_000 / gapMs);
  if (perSecond > 100) return undefined;
  return `refusals of the service slow the reads down to about ${perSecond} per second`;
}

/** Whether the service can be read, as attempts show: those of other reads, and earlier ones of the same read. */
export function othersSucceed({ failedAttempts }: ServiceState, concurrency: number): boolean {
  return failedAttempts < outageSize(concurrency);
}

function outageSize(concurrency: number): number {
  return Math.max(policy.minOutage, concurrency);
}

/** The attempts of a read so far. */
export const noAttempts = {
  attempts: 0,
  /** Those since others stopped succeeding. 0 while others succeed. */
  attemptsAlone: 0,
  spentMs: 0,
  hasNewToken: false,
};

export type History = Readonly<typeof noAttempts>;

/** Counts an attempt, but not a 429: a limiter can refuse a read until its window ends, so time alone ends it. */
export function historyAfter(
  history: History,
  { status, sentMs, endMs }: Attempt,
  state: ServiceState,
  concurrency: number,
): History {
  const isAlone = !othersSucceed(state, concurrency);
  const counted = status === 429 ? 0 : 1;
  return {
    ...history,
    attempts: history.attempts + counted,
    attemptsAlone: isAlone ? history.attemptsAlone + counted : 0,
    spentMs: history.spentMs + endMs - sentMs,
  };
}

/** With `newToken`, another attempt follows at once. */
export type Step = "done" | "fail" | "newToken" | { readonly waitMs: number };

/** @param leftMs for this read. */
export function nextStep(
  { status, isRetryable }: Pick<Attempt, "status" | "isRetryable">,
  { attempts, attemptsAlone, hasNewToken }: History,
  leftMs: number,
): Step {
  const { besideOthersMs, attemptsBesideOthers } = policy;
  const isAlone = attemptsAlone > 0;
  if (status === 200) return "done";
  if (status === 401 && isAlone && !hasNewToken) return "newToken";
  if ((!isRetryable && status !== 401) || attempts >= attemptsBesideOthers) return "fail";
  const besideMs = besideOthersMs * (status === 429 ? 1 : Math.min(attempts, 3));
  const waitMs = isAlone && status !== 429 ? signInPolicy.aloneMs[attemptsAlone - 1] : besideMs;
  return waitMs !== undefined && waitMs < leftMs ? { waitMs } : "fail";
}
