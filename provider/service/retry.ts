import { RequestFailure } from "../errors/requestFailure.js";
import { sleep } from "./deadline.js";

export interface RetryOptions {
  /** Whether a failure that may be retried may be retried here. Default: yes. */
  readonly canRetry?: (failure: RequestFailure) => boolean;
  /** When to give up, on the clock of `performance.now()`. */
  readonly endMs: number;
  /** Pauses other requests too after a 429, which then is no attempt. */
  readonly pause?: (waitMs: number, failure: RequestFailure) => void;
}

const maxAttempts = 3;
const maxRetryAfterMs = 30_000;

/**
 * Runs a request with at most three attempts. Between them it waits up to 200 and 400 ms, after a 429 1 s
 * and 2 s longer, or as long as the server asks for. A pause after a 429 takes 1 s and then 4 s, or as long as
 * the server asks for.
 *
 * @throws what the last attempt has thrown.
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  { canRetry = () => true, endMs, pause }: RetryOptions,
): Promise<T> {
  let attempts = 1;
  let pauses = 0;
  for (;;) {
    try {
      return await attempt();
    } catch (failure) {
      if (!(failure instanceof RequestFailure)) throw failure;
      const { status, retryAfterMs, isRetryable = false } = failure.details;
      if (!isRetryable || !canRetry(failure)) throw failure;
      const leastMs = status === 429 ? 1_000 * attempts : 0;
      let waitMs = retryAfterMs ?? leastMs + Math.random() * 100 * 2 ** attempts;
      if (pause !== undefined && status === 429) {
        waitMs = Math.max(1_000, retryAfterMs ?? (pauses++ === 0 ? 1_000 : 4_000));
        pause(waitMs, failure);
      } else if (attempts++ === maxAttempts || waitMs > maxRetryAfterMs) throw failure;
      if (performance.now() + waitMs >= endMs) throw failure;
      await sleep(waitMs);
    }
  }
}

/** Whether a read may be repeated after a response with this status. */
export function isRetryableStatus(status: number): boolean {
  return [408, 429, 500, 502, 503, 504].includes(status);
}

/** Returns the wait that a Retry-After header asks for, in ms. The header has seconds or an HTTP date. */
export function retryAfterMs(header: string | undefined): number | undefined {
  const text = (header ?? "").trim();
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const dateMs = text.endsWith("GMT") ? Date.parse(text) : NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - Date.now());
}
