import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { startDeadline, systemClock } from "../../../provider/http/clock.js";
import { compiled } from "../../support/paths.js";

const run = promisify(execFile);

describe("deadlines", () => {
  it("expire in order of time, never early, and never after they were stopped", async () => {
    const expired: string[] = [];
    const startMs = performance.now();
    const start = (name: string, ms: number, onExpiry = () => {}) =>
      startDeadline(startMs + ms, () => {
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

  it("expire soon if they start too late, without a warning of Node", async () => {
    // A warning would fail the test: see test/support/nodeWarnings.ts.
    const pastMs = performance.now() - 10;
    await new Promise<void>((resolve) => startDeadline(pastMs, resolve));
    await new Promise<void>((resolve) => systemClock.startTimer(-10, resolve));
  });

  it("keep the process alive while one is running, and no longer", async () => {
    const program = (body: string) =>
      run(process.execPath, [
        "-e",
        `const { startDeadline } = require(${JSON.stringify(compiled("provider/http/clock.ts"))});
              const start = (ms, name) => startDeadline(performance.now() + ms, () => console.log(name));
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
