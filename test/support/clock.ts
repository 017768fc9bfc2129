import { clock } from "../../provider/http/clock.js";

const real = { ...clock };

/** The clock of the package. */
export interface Clock {
  /** Lets time pass, until the end of the test. Timers do not notice it. */
  pass(ms: number): void;
  /** From now on, until the end of the test, nothing but `pass` and timers that expire let time pass. */
  stop(): void;
}

const fast = 20;

/** Like {@link useClock}, but the clock runs twenty times faster, and so the waits between attempts. */
export function useFastClock(): Clock {
  return useClock(fast);
}

/** Makes the clock of this process run twenty times faster. */
export function speedUp(): void {
  const setTimeout = (run: () => void, ms: number) => real.setTimeout(run, ms / fast);
  Object.assign(clock, { now: () => real.now() * fast, setTimeout });
}

/** Prepares a clock for the tests of the surrounding suite. Each starts with the real time. */
export function useClock(speed = 1): Clock {
  let passedMs = 0;
  let stoppedMs: number | undefined;
  before(() => {
    const setTimeout = (run: () => void, ms: number) =>
      real.setTimeout(() => {
        if (stoppedMs !== undefined) passedMs += ms;
        run();
      }, ms / speed);
    Object.assign(clock, { now: () => (stoppedMs ?? real.now()) * speed + passedMs, setTimeout });
  });
  afterEach(() => {
    passedMs = 0;
    stoppedMs = undefined;
  });
  after(() => void Object.assign(clock, real));
  return {
    pass(ms) {
      passedMs += ms;
    },
    stop() {
      stoppedMs = real.now();
    },
  };
}

/**
 * Runs work whose timers are the package's, in a time that does not really pass.
 *
 * @returns the simulated time in ms.
 */
export async function simulate(work: () => Promise<unknown>): Promise<number> {
  let nowMs = 0;
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>();
  const setTimeout = (run: () => void, ms: number) => {
    const timer = { atMs: nowMs + Math.max(1, ms), run };
    timers.add(timer);
    return timer;
  };
  const clearTimeout = (timer: never) => void timers.delete(timer);
  Object.assign(clock, { now: () => nowMs, setTimeout, clearTimeout });
  try {
    let isRunning = true;
    const end = work().finally(() => (isRunning = false));
    end.catch(() => {}); // it is awaited below
    for (;;) {
      await new Promise(real.setImmediate); // runs after all promises
      if (!isRunning) break;
      const [first] = [...timers].sort((one, other) => one.atMs - other.atMs);
      if (first === undefined) throw new Error("Nothing is left that could happen");
      timers.delete(first);
      nowMs = Math.max(nowMs, first.atMs);
      first.run();
    }
    await end;
    return nowMs;
  } finally {
    Object.assign(clock, real);
  }
}
