import { type TimeLimitName, TimeoutError } from "../errors/internalErrors.js";

/** How long a read may take, in ms. */
export interface TimeLimits {
  /** One attempt of one request, from connecting to the last byte of the response. */
  readonly attemptMs: number;
  /** All attempts of one request, including the waits between them. Getting a token is not included. */
  readonly totalMs: number;
  /** All pages of one list. Getting the first token is not included. */
  readonly listMs: number;
}

/** `timeoutSeconds` limits an attempt. The other limits are never shorter than that. */
export function timeLimitsOf({ timeoutSeconds }: { timeoutSeconds: number }): TimeLimits {
  const attemptMs = timeoutSeconds * 1_000;
  return {
    attemptMs,
    totalMs: Math.max(60_000, attemptMs),
    listMs: Math.max(300_000, attemptMs),
  };
}

/** A limit that is running. */
export interface TimeLimit {
  readonly name: TimeLimitName;
  readonly durationMs: number;
  /** When it ends, on the monotonic clock. */
  readonly endMs: number;
}

export function startLimit(name: TimeLimitName, startMs: number, durationMs: number): TimeLimit {
  return { name, durationMs, endMs: startMs + durationMs };
}

/** Returns the limit that ends first, or the first argument if both end at the same time. */
export function firstToEnd(limit: TimeLimit, other: TimeLimit | undefined): TimeLimit {
  return other === undefined || limit.endMs <= other.endMs ? limit : other;
}

export function timeoutError({ name, durationMs }: TimeLimit): TimeoutError {
  return new TimeoutError(name, durationMs);
}

/** The maximal size of a token response. */
export const maxTokenResponseBytes = 64 * 1024;

/** The maximal size of a response of the project API, both compressed and decompressed. */
export const maxApiResponseBytes = 10 * 1024 * 1024;

/** The maximal size of all pages of a list, decompressed. */
export const maxListBytes = 256 * 1024 * 1024;
