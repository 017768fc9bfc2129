/* A response, and what its status and its headers mean. */

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. A header that was sent twice has both values, with a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** Whether a read may be repeated after a response with this status. From 520 on, they are those of proxies. */
export function isRetryableStatus(status: number): boolean {
  return status >= 520 || [408, 425, 429, 500, 502, 503, 504, 507].includes(status);
}

/** Whether a response comes from a rate limiter. Some respond with 403. */
export function isRateLimited(status: number, headers: HttpResponse["headers"]): boolean {
  if (status === 429) return true;
  const isLimit = headers["retry-after"] !== undefined || headers["x-ratelimit-remaining"] === "0";
  return status === 403 && isLimit;
}

/**
 * Returns the wait that a response asks for, in ms. The header Retry-After has seconds, or an HTTP date, which counts
 * from the date of the response: the clocks may differ.
 */
export function retryAfterMs(headers: HttpResponse["headers"]): number | undefined {
  const { "retry-after": text = "", date = "" } = headers;
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1_000;
  const endMs = text.trim().endsWith("GMT") ? Date.parse(text) : NaN;
  if (Number.isNaN(endMs)) return undefined;
  const nowMs = Date.parse(date);
  return Math.max(0, endMs - (Number.isNaN(nowMs) ? Date.now() : nowMs));
}
