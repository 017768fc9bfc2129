import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Deadlines } from "../../provider/deadlines.js";

const run = promisify(execFile);

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
      deadlines.start(startMs + ms, () => {
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
        deadlines.start(performance.now() + 5, () => {
          expired++;
          resolve();
        });
      });
    }
    assert.equal(expired, 3);
  });

  it("share one timer, also with those that end before", () => {
    const deadlines = new Deadlines();
    const made = timersIn(() => {
      for (let request = 0; request < 1_000; request++) {
        const stop = deadlines.start(performance.now() + 15_000, () => {});
        if (request % 3 > 0) stop();
      }
    });
    assert.equal(made, 1);
  });

  it("keep the process alive while one runs, and no longer", async () => {
    const program = (body: string) =>
      run(process.execPath, [
        "-e",
        `const { Deadlines } = require(${JSON.stringify(join(__dirname, "../../provider/deadlines.js"))});
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
