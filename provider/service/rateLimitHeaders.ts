/* What the headers of a response say about a rate limiter. */
type Headers = Readonly<Record<string, string | undefined>>;

/** Whether a response comes from a rate limiter. Some respond with 403. */
export function isRateLimited(status: number, headers: Headers): boolean {
  if (status === 429) return true;
  const isLimit = headers["retry-after"] !== undefined || headers["x-ratelimit-remaining"] === "0";
  return status === 403 && isLimit;
}

/**
 * Returns the wait that a response asks for, in ms. The header Retry-After has seconds, or an HTTP date, which counts
 * from the date of the response: the clocks may differ.
 */
export function retryAfterMs({ "retry-after": text = "", date = "" }: Headers): number | undefined {
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1_000;
  const endMs = text.trim().endsWith("GMT") ? Date.parse(text) : NaN;
  if (Number.isNaN(endMs)) return undefined;
  const nowMs = Date.parse(date);
  return Math.max(0, endMs - (Number.isNaN(nowMs) ? Date.now() : nowMs));
}
