import assert from "node:assert/strict";
import { progressBar } from "../../audit/progressBar.js";
import { pacedProgress } from "../../provider/pacedProgress.js";
import { progressLine } from "../../sdk/progressLine.js";

describe("the progress of a long reading", () => {
  function told(timesMs: readonly number[]): string[] {
    const said: string[] = [];
    let now = 5_000;
    const listener = pacedProgress(
      (done, total) => said.push(`${now - 5_000}: ${done} of ${total}`),
      () => now,
    );
    for (const [index, timeMs] of timesMs.entries()) {
      now = 5_000 + timeMs;
      listener(index + 1, timesMs.length);
    }
    return said;
  }

  it("is silent while it is short", () => {
    assert.deepEqual(told([100, 900, 1_999]), []);
  });

  it("is said from 2 s on, once a second at most, and in the end", () => {
    assert.deepEqual(told([100, 2_000, 2_500, 2_999, 3_100, 3_200]), [
      "2000: 2 of 6",
      "3100: 5 of 6",
      "3200: 6 of 6",
    ]);
  });

  it("is drawn as a bar in a terminal, and cleared at the end", () => {
    let now = 0;
    const written: string[] = [];
    const draw = progressBar(
      (text) => written.push(text),
      () => now,
    );
    now = 2_000;
    draw(1_000, 4_000);
    now = 3_000;
    draw(4_000, 4_000);
    assert.deepEqual(written, [
      `\r${"█".repeat(6)}${"░".repeat(18)} 1,000 of 4,000 projects`,
      "\r\u001b[K",
    ]);
  });

  it("is not logged outside of Pulumi", () => {
    assert.equal(progressLine(), undefined);
  });
});
