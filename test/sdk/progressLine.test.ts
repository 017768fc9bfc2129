import assert from "node:assert/strict";
import { progressLine } from "../../sdk/progressLine.js";

describe("the progress line", () => {
  function told(timesMs: readonly number[], total = timesMs.length): string[] {
    const lines: string[] = [];
    let now = 5_000;
    const tell = progressLine(
      (line) => lines.push(`${now - 5_000}: ${line}`),
      () => now,
    );
    for (const [index, timeMs] of timesMs.entries()) {
      now = 5_000 + timeMs;
      tell?.(index + 1, total);
    }
    return lines;
  }

  it("is silent while a reading is short", () => {
    assert.deepEqual(told([100, 900, 1_999]), []);
  });

  it("says from 2 s on how far it is, once a second at most, and in the end", () => {
    assert.deepEqual(told([100, 2_000, 2_500, 2_999, 3_100, 3_200]), [
      "2000: Reading projects: 2 of 6",
      "3100: Reading projects: 5 of 6",
      "3200: Reading projects: 6 of 6",
    ]);
  });

  it("groups digits", () => {
    const [line] = told([...Array<number>(1_000).fill(0), 2_000], 12_345);
    assert.equal(line, "2000: Reading projects: 1,001 of 12,345");
  });

  it("does not exist outside of Pulumi", () => {
    assert.equal(progressLine(), undefined);
  });
});
