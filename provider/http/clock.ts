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

/**
 * Calls `onExpiry` at a time, or soon if it has passed. The returned function stops that. If it is called
 * at that very time, `onExpiry` may still be called afterwards.
 *
 * A running deadline keeps the process alive. Without that, a request whose connection vanishes
 * without an event would let the process end in silence, with exit code 0.
 *
 * @param atMs on the clock of `performance.now()`.
 * @param keepsAlive whether the deadline keeps the process alive.
 */
export function startDeadline(atMs: number, onExpiry: () => void, keepsAlive = true): () => void {
  // One more, because Node counts whole milliseconds. It warns about a negative time.
  const waitMs = Math.max(0, Math.ceil(atMs - performance.now()) + 1);
  // After a program was busy, Node runs timers before it reads what has arrived. Let it read first.
  const timer = setTimeout(() => setImmediate(onExpiry), waitMs);
  if (!keepsAlive) timer.unref();
  return () => clearTimeout(timer);
}
