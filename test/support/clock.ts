/** The clock of the package, which reads `performance.now` alone. */
export interface Clock {
  /** Lets time pass, until the end of the test. Timers do not notice it. */
  pass(ms: number): void;
}

/** Prepares a clock for the tests of the surrounding suite. Each starts with the real time. */
export function useClock(): Clock {
  const now = performance.now.bind(performance);
  let passedMs = 0;
  before(() => {
    performance.now = () => now() + passedMs;
  });
  afterEach(() => {
    passedMs = 0;
  });
  after(() => {
    performance.now = now;
  });
  return {
    pass(ms) {
      passedMs += ms;
    },
  };
}
