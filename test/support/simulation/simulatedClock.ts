import assert from "node:assert/strict";
import type { Clock } from "../../../provider/http/clock.js";

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
}

/** A clock without real time. Its time passes only when the next timer runs. */
export class SimulatedClock implements Clock {
  private elapsedMs = 1_000;
  private asleepMs = 0;
  private wallAheadMs = 1_700_000_000_000;
  /** The latest timer comes first. Timers of one time run in the order in which they were started. */
  private readonly timers: Timer[] = [];

  monotonicMs = () => this.elapsedMs;
  wallMs = () => this.elapsedMs + this.wallAheadMs;
  /** The time of the servers: it never jumps and goes on while the client's machine sleeps. */
  serverMs = () => this.elapsedMs + this.asleepMs;

  startTimer = (ms: number, callback: () => void) => {
    assert.ok(Number.isFinite(ms), `a timer of ${ms} ms`);
    const atMs = this.elapsedMs + Math.max(0, ms);
    const timer: Timer = { atMs, callback };
    this.timers.splice(this.timers.findLastIndex((other) => other.atMs > atMs) + 1, 0, timer);
    return () => {
      const index = this.timers.indexOf(timer);
      if (index >= 0) this.timers.splice(index, 1);
    };
  };

  jumpWall(ms: number): void {
    this.wallAheadMs += ms;
  }

  /** The monotonic clock and its timers stand still while the machine sleeps. */
  sleepMachine(ms: number): void {
    this.asleepMs += ms;
    this.wallAheadMs += ms;
  }

  /** Runs the earliest timer. Returns false if there is none. */
  runNext(): boolean {
    const timer = this.timers.pop();
    if (timer === undefined) return false;
    this.elapsedMs = timer.atMs;
    timer.callback();
    return true;
  }
}

/** Shows the time of another clock and counts the timers that it starts there. */
export class CountingClock implements Clock {
  /** Timers that were neither stopped nor have run. */
  runningTimers = 0;

  constructor(private readonly clock: Clock) {}

  monotonicMs = () => this.clock.monotonicMs();
  wallMs = () => this.clock.wallMs();

  startTimer = (ms: number, callback: () => void) => {
    let isRunning = true;
    this.runningTimers++;
    const end = (): void => {
      if (isRunning) this.runningTimers--;
      isRunning = false;
    };
    const stop = this.clock.startTimer(ms, () => {
      end();
      callback();
    });
    return () => {
      end();
      stop();
    };
  };
}
