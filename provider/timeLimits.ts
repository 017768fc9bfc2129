import type { Settings } from "./resolveSettings.js";

/** How long reading may take, in ms. */
export interface TimeLimits {
  /** One attempt of one request, from connecting to the last byte of the response. */
  readonly attemptMs: number;
  /** All attempts of one request, with the waits between them. The wait for a token is extra. */
  readonly totalMs: number;
  /** All pages of one list. The first wait for a token is extra. */
  readonly listMs: number;
}

/** `timeoutSeconds` is the limit of an attempt. The other limits are never shorter. */
export function timeLimitsOf({ timeoutSeconds }: Pick<Settings, "timeoutSeconds">): TimeLimits {
  const attemptMs = timeoutSeconds * 1_000;
  return {
    attemptMs,
    totalMs: Math.max(60_000, attemptMs),
    listMs: Math.max(300_000, attemptMs),
  };
}

/** A limit that runs. */
export interface TimeLimit {
  readonly of: "attempt" | "request" | "list";
  readonly durationMs: number;
  /** On the monotonic clock. */
  readonly endMs: number;
}

export function limitFrom(of: TimeLimit["of"], startMs: number, durationMs: number): TimeLimit {
  return { of, durationMs, endMs: startMs + durationMs };
}

/** The limit that ends first; where both end together, the one that is given first. */
export function firstToEnd(limit: TimeLimit, other: TimeLimit | undefined): TimeLimit {
  return other === undefined || limit.endMs <= other.endMs ? limit : other;
}
