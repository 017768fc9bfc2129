import assert from "node:assert/strict";
import { progressBar } from "../../../command/progressBar.js";
import { pacedProgress } from "../../../provider/service/readEach.js";
import { progressListener } from "../../../sdk/reading/runRead.js";

describe("the progress of a long read", () => {
  function reportsAt(timesMs: readonly number[]): string[] {
    const reports: string[] = [];
    let now = 5_000;
    const listener = pacedProgress(
      (done, total) => reports.push(`${now - 5_000}: ${done} of ${total}`),
      () => now,
    );
    for (const [index, timeMs] of timesMs.entries()) {
      now = 5_000 + timeMs;
      listener(index + 1, timesMs.length);
    }
    return reports;
  }

  it("is not reported during the first 2 s", () => {
    assert.deepEqual(reportsAt([100, 900, 1_999]), []);
  });

  it("is reported from 2 s on, at most once a second, and at the end", () => {
    assert.deepEqual(reportsAt([100, 2_000, 2_500, 2_999, 3_100, 3_200]), [
      "2000: 2 of 6",
      "3100: 5 of 6",
      "3200: 6 of 6",
    ]);
  });

  it("appears as a bar in a terminal, and disappears at the end", () => {
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

  it("is not logged outside of a Pulumi program", async () => {
    assert.equal(await progressListener(), undefined);
  });
});
