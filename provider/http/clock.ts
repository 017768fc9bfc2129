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
