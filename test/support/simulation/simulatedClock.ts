import assert from "node:assert/strict";
import type { Clock } from "../../../provider/http/clock.js";

interface Timer {
  readonly atMs: number;
  /** Timers of one time run in the order in which they were started. */
  readonly order: number;
  readonly callback: () => void;
  isStopped: boolean;
}

/** A clock without real time. Its time passes only when the next timer runs. */
export class SimulatedClock implements Clock {
  private elapsedMs = 1_000;
  private asleepMs = 0;
  private wallAheadMs = 1_700_000_000_000;
  private started = 0;
  /** A binary heap: the earliest timer comes first. */
  private readonly timers: Timer[] = [];

  monotonicMs = () => this.elapsedMs;
  wallMs = () => this.elapsedMs + this.wallAheadMs;
  /** The time of the servers: it never jumps and goes on while the client's machine sleeps. */
  serverMs = () => this.elapsedMs + this.asleepMs;

  startTimer = (ms: number, callback: () => void) => {
    assert.ok(Number.isFinite(ms), `a timer of ${ms} ms`);
    const atMs = this.elapsedMs + Math.max(0, ms);
    const timer: Timer = { atMs, order: this.started++, callback, isStopped: false };
    this.insert(timer);
    return () => void (timer.isStopped = true);
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
    let timer = this.removeFirst();
    while (timer?.isStopped === true) timer = this.removeFirst();
    if (timer === undefined) return false;
    this.elapsedMs = timer.atMs;
    timer.isStopped = true;
    timer.callback();
    return true;
  }

  private insert(timer: Timer): void {
    const { timers } = this;
    let index = timers.length;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = timers[parentIndex] as Timer;
      if (isBefore(parent, timer)) break;
      timers[index] = parent;
      index = parentIndex;
    }
    timers[index] = timer;
  }

  private removeFirst(): Timer | undefined {
    const { timers } = this;
    const first = timers[0];
    const moved = timers.pop();
    if (moved === undefined || moved === first) return first;
    let index = 0;
    for (;;) {
      let childIndex = 2 * index + 1;
      const right = timers[childIndex + 1];
      if (right !== undefined && isBefore(right, timers[childIndex] as Timer)) childIndex++;
      const child = timers[childIndex];
      if (child === undefined || isBefore(moved, child)) break;
      timers[index] = child;
      index = childIndex;
    }
    timers[index] = moved;
    return first;
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

function isBefore(a: Timer, b: Timer): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
