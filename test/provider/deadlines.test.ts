import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Deadlines } from "../../provider/deadlines.js";

describe("deadlines", () => {
  /** How many timers are made while `action` runs. */
  function timersIn(action: () => void): number {
    const original = globalThis.setTimeout;
    let made = 0;
    globalThis.setTimeout = ((...args: Parameters<typeof original>) => {
      made++;
      return original(...args);
    }) as typeof original;
    try {
      action();
    } finally {
      globalThis.setTimeout = original;
    }
    return made;
  }

  it("expire in their order, not before their time, and not once they are stopped", async () => {
    const deadlines = new Deadlines();
    const expired: string[] = [];
    const startMs = performance.now();
    const start = (name: string, ms: number) =>
      deadlines.start(ms, () => {
        expired.push(name);
        assert.ok(performance.now() - startMs >= ms, name);
      });
    start("late", 60);
    start("early", 20);
    const stop = start("stopped", 40);
    start("between", 40);
    stop();
    await sleep(100);
    assert.deepEqual(expired, ["early", "between", "late"]);
  });

  it("of those that follow each other expire as well", async () => {
    const deadlines = new Deadlines();
    let expired = 0;
    for (let round = 0; round < 3; round++) {
      await new Promise<void>((resolve) => {
        deadlines.start(5, () => {
          expired++;
          resolve();
        });
        // Nothing but this keeps the process: the deadlines' own timer does not.
        void sleep(50);
      });
    }
    assert.equal(expired, 3);
  });

  it("share one timer, also with those that end before", () => {
    const deadlines = new Deadlines();
    const made = timersIn(() => {
      for (let request = 0; request < 1_000; request++) {
        const stop = deadlines.start(15_000, () => {});
        if (request % 3 > 0) stop();
      }
    });
    assert.equal(made, 1);
  });
});
