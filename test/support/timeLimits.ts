import type { Clock } from "../../provider/clock.js";
import { limitFrom, type TimeLimit, timeLimitsOf } from "../../provider/timeLimits.js";

/** The limits of settings that say nothing of them: 15 s, 60 s, 300 s. */
export const usualLimits = timeLimitsOf({ timeoutSeconds: 15 });

/** A limit for one request, from now. */
export function limitOf(durationMs: number): TimeLimit {
  return limitFrom("attempt", performance.now(), durationMs);
}

/** A clock on which time passes only as a test says; waits end at once. */
export class InstantClock implements Clock {
  private elapsedMs = 1_000;
  private wallAheadMs = 1_700_000_000_000;
  /** How long each timer was to run. */
  readonly waits: number[] = [];

  monotonicMs = () => this.elapsedMs;
  wallMs = () => this.elapsedMs + this.wallAheadMs;

  startTimer = (ms: number, callback: () => void) => {
    let isStopped = false;
    this.waits.push(ms);
    queueMicrotask(() => {
      if (isStopped) return;
      this.pass(ms);
      callback();
    });
    return () => void (isStopped = true);
  };

  pass(ms: number): void {
    this.elapsedMs += ms;
  }

  jumpWall(ms: number): void {
    this.wallAheadMs += ms;
  }
}
