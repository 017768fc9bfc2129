import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Deadlines, systemClock } from "../../../provider/http/clock.js";
import { compiled } from "../../support/paths.js";

const run = promisify(execFile);

describe("deadlines", () => {
  /** Returns the number of timers that `action` starts. */
  function timersIn(action: () => void): number {
    const original = globalThis.setTimeout;
    let started = 0;
    globalThis.setTimeout = ((...args: Parameters<typeof original>) => {
      started++;
      return original(...args);
    }) as typeof original;
    try {
      action();
    } finally {
      globalThis.setTimeout = original;
    }
    return started;
  }

  it("expire in order of time, never early, and never after they were stopped", async () => {
    const deadlines = new Deadlines();
    const expired: string[] = [];
    const startMs = performance.now();
    const start = (name: string, ms: number, onExpiry = () => {}) =>
      deadlines.start(startMs + ms, () => {
        expired.push(name);
        assert.ok(performance.now() - startMs >= ms, name);
        onExpiry();
      });
    await new Promise<void>((resolve) => {
      start("late", 500, resolve); // far behind, so that a busy machine does not mix them up
      start("early", 20);
      const stop = start("stopped", 40);
      start("between", 40);
      stop();
    });
    assert.deepEqual(expired, ["early", "between", "late"]);
  });

  it("expire even if each starts after the one before has expired", async () => {
    const deadlines = new Deadlines();
    let expired = 0;
    for (let round = 0; round < 3; round++) {
      await new Promise<void>((resolve) => {
        deadlines.start(performance.now() + 5, () => {
          expired++;
          resolve();
        });
      });
    }
    assert.equal(expired, 3);
  });

  it("expire soon if they start too late, without a warning of Node", async () => {
    // A warning would fail the test: see test/support/nodeWarnings.ts.
    const pastMs = performance.now() - 10;
    await new Promise<void>((resolve) => new Deadlines().start(pastMs, resolve));
    await new Promise<void>((resolve) => systemClock.startTimer(-10, resolve));
  });

  it("share one timer, also with deadlines that were stopped", () => {
    const deadlines = new Deadlines();
    const started = timersIn(() => {
      for (let request = 0; request < 1_000; request++) {
        const stop = deadlines.start(performance.now() + 15_000, () => {});
        if (request % 3 > 0) stop();
      }
    });
    assert.equal(started, 1);
  });

  it("keep the process alive while one is running, and no longer", async () => {
    const program = (body: string) =>
      run(process.execPath, [
        "-e",
        `const { Deadlines } = require(${JSON.stringify(compiled("provider/http/clock.ts"))});
         const deadlines = new Deadlines();
         const start = (ms, name) => deadlines.start(performance.now() + ms, () => console.log(name));
         ${body}`,
      ]);
    assert.equal(
      (await program(`start(100, "first"); start(200, "second");`)).stdout,
      "first\nsecond\n",
    );
    const startMs = performance.now();
    const { stdout } = await program(`start(60_000, "never")(); start(50, "last");`);
    assert.equal(stdout, "last\n");
    assert.ok(performance.now() - startMs < 30_000);
  });
});
