import type { Clock } from "../../provider/http/clock.js";

/** A clock whose time passes only when a test says so. Waits end at once. */
export class InstantClock implements Clock {
  private elapsedMs = 1_000;
  private wallAheadMs = 1_700_000_000_000;
  /** The durations of all timers that were started. */
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
