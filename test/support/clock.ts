import { clock } from "../../provider/service/clock.js";

const real = { ...clock };

/** The clock of the package. */
export interface Clock {
  /** Lets time pass, until the end of the test. Timers do not notice it. */
  pass(ms: number): void;
  /** From now on, until the end of the test, nothing but `pass` lets time pass. */
  stop(): void;
}

/** Prepares a clock for the tests of the surrounding suite. Each starts with the real time. */
export function useClock(): Clock {
  let passedMs = 0;
  let stoppedMs: number | undefined;
  before(() => {
    clock.now = () => (stoppedMs ?? real.now()) + passedMs;
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
