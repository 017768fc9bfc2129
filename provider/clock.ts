/** The time, for whatever waits or expires: the system's, or a simulated one in tests. */
export interface Clock {
  /** Never jumps, but may stand still while the machine sleeps. */
  monotonicMs(): number;
  /** Goes on while the machine sleeps, but may jump. */
  wallMs(): number;
  /** Calls `callback` after `ms`, unless the function that it returns is called before. */
  startTimer(ms: number, callback: () => void): () => void;
}

/** Its timers keep the process alive. */
export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  startTimer(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.startTimer(ms, resolve));
}

/** Keeps the process alive until `promise` settles, whatever it waits for. */
export function keepAliveWhile<T>(promise: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 2 ** 30);
  return promise.finally(() => clearInterval(timer));
}
