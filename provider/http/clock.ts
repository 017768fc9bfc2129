/* The clock of the package: as it was when the package was loaded, so that the fake timers of a test do not stop a read. */
const { setTimeout, clearTimeout, setImmediate } = globalThis;

export const clock = {
  /** In milliseconds. It never goes back. */
  now: performance.now.bind(performance),
  setTimeout,
  clearTimeout,
  setImmediate,
};

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => clock.setTimeout(resolve, ms));
}

/**
 * Calls `onExpiry` at the end of a time limit. Of a time for which the program blocks the event loop, at most a
 * quarter of the limit counts: it must find the response afterwards, and not an error.
 *
 * A running deadline keeps the process alive. Without that, a request whose connection vanishes without an event would
 * let the process end in silence, with exit code 0.
 *
 * @returns a function that stops it.
 */
export function startDeadline(limitMs: number, onExpiry: () => void) {
  let spentMs = 0;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const stepMs = Math.min(limitMs / 4, limitMs - spentMs);
    timer = clock.setTimeout(() => {
      spentMs += stepMs;
      if (spentMs < limitMs) wait();
      // After a program was busy, Node runs timers before it reads what has arrived. Let it read first:
      // https://nodejs.org/en/learn/asynchronous-work/event-loop-timers-and-nexttick
      else clock.setImmediate(onExpiry);
    }, stepMs);
  };
  wait();
  return () => clock.clearTimeout(timer);
}
