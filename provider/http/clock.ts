/** The time, for code that waits or checks expiry. Tests simulate it. */
export interface Clock {
  /** Never jumps. May stand still while the machine sleeps. */
  monotonicMs(): number;
  /** Advances while the machine sleeps. May jump. */
  wallMs(): number;
  /** Calls `callback` after `ms`, or soon if `ms` is negative. The returned function cancels that. */
  startTimer(ms: number, callback: () => void): () => void;
}

/** The clock of the system. Its timers keep the process alive. */
export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  startTimer(ms, callback) {
    // Node warns about a negative time.
    const timer = setTimeout(callback, Math.max(0, ms));
    return () => clearTimeout(timer);
  },
};

export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.startTimer(ms, resolve));
}

/** Keeps the process alive until `promise` settles, even if nothing else does. */
export function keepAliveWhile<T>(promise: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 2 ** 30);
  return promise.finally(() => clearInterval(timer));
}

interface Deadline {
  readonly atMs: number;
  readonly onExpiry: () => void;
  readonly keepsAlive: boolean;
}

/**
 * The deadlines of many requests. All deadlines share one timer, which is set to the earliest
 * deadline. Most requests end long before their deadline, and then set no timer and clear none.
 *
 * A running deadline keeps the process alive. Without that, a request whose connection vanishes
 * without an event would let the process end in silence, with exit code 0.
 */
export class Deadlines {
  private readonly running = new Set<Deadline>();
  /** How many running deadlines keep the process alive. */
  private keepingAlive = 0;
  private timer: NodeJS.Timeout | undefined;
  private timerAtMs = Infinity;

  /**
   * Calls `onExpiry` at a time. The returned function stops the deadline.
   *
   * @param atMs on the clock of `performance.now()`.
   * @param keepsAlive whether the deadline keeps the process alive.
   */
  start(atMs: number, onExpiry: () => void, keepsAlive = true): () => void {
    const deadline = { atMs, onExpiry, keepsAlive };
    this.running.add(deadline);
    if (keepsAlive && this.keepingAlive++ === 0) this.timer?.ref();
    if (atMs < this.timerAtMs) this.setTimer(atMs);
    return () => void this.stop(deadline);
  }

  private stop(deadline: Deadline): boolean {
    const isRunning = this.running.delete(deadline);
    if (isRunning && deadline.keepsAlive && --this.keepingAlive === 0) this.timer?.unref();
    return isRunning;
  }

  private setTimer(atMs: number): void {
    clearTimeout(this.timer);
    this.timerAtMs = atMs;
    // After a program was busy, Node runs timers before it reads what has arrived. Let it read first.
    this.timer = setTimeout(
      () => setImmediate(() => this.expire()),
      // Node warns about a negative time.
      Math.max(0, Math.ceil(atMs - performance.now())),
    );
    if (this.keepingAlive === 0) this.timer.unref();
  }

  private expire(): void {
    this.timerAtMs = Infinity;
    const nowMs = performance.now();
    for (const deadline of [...this.running]) {
      if (deadline.atMs <= nowMs && this.stop(deadline)) deadline.onExpiry();
    }
    const nextMs = Math.min(...[...this.running].map(({ atMs }) => atMs));
    if (nextMs < this.timerAtMs) this.setTimer(nextMs);
  }
}
