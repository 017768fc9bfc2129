import { startLimit, type TimeLimit, timeLimitsOf } from "../../provider/http/limits.js";

/** The limits of settings without a timeout: 15 s, 60 s and 300 s. */
export const defaultLimits = timeLimitsOf({ timeoutSeconds: 15 });

/** Returns a limit for one request, which starts now. */
export function limitOf(durationMs: number): TimeLimit {
  return startLimit("attempt", performance.now(), durationMs);
}
