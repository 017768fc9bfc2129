import { RequestFailure } from "../errors/requestFailure.js";
import { sleep } from "./deadline.js";

const maxRetryAfterMs = 30_000;

/**
 * Waits before the next attempt: 75 to 125 and then 150 to 250 ms, after a 429 1 s and 2 s longer, or as long as
 * the server asks for. Throws the failure if there is no next attempt.
 *
 * @param attempts how many there were.
 * @param endMs when to give up, on the clock of `performance.now()`.
 */
export async function waitForRetry(
  failure: unknown,
  attempts: number,
  endMs: number,
  maxAttempts = 3,
): Promise<void> {
  if (!(failure instanceof RequestFailure)) throw failure;
  const { status, retryAfterMs, isRetryable = false } = failure.details;
  const leastMs = status === 429 ? 1_000 * attempts : 0;
  const waitMs = retryAfterMs ?? leastMs + (1.5 + Math.random()) * 25 * 2 ** Math.min(attempts, 2);
  const isTooLate = waitMs > maxRetryAfterMs || performance.now() + waitMs >= endMs;
  if (!isRetryable || attempts >= maxAttempts || isTooLate) throw failure;
  await sleep(waitMs);
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
