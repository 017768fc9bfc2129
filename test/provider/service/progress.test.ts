import assert from "node:assert/strict";
import { readCounter, withProgress } from "../../../provider/service/progress.js";

describe("progress", () => {
  const { setTimeout, setInterval, clearTimeout } = globalThis;
  /** The callback and the time of the timer that runs. */
  let timer: [callback: () => void, ms: number] | undefined;
  beforeEach(() => {
    const start = (...given: NonNullable<typeof timer>) => (timer = given);
    Object.assign(globalThis, {
      setTimeout: start,
      setInterval: start,
      clearTimeout: () => (timer = undefined),
    });
  });
  afterEach(() => Object.assign(globalThis, { setTimeout, setInterval, clearTimeout }));

  it("is shown after 2 s and then at intervals, until the work ends", async () => {
    const shown: string[] = [];
    const { onProgress, text } = readCounter();
    let end = () => {};
    const work = new Promise<void>((resolve) => (end = resolve));
    const done = withProgress(
      () => shown.push(text()),
      10_000,
      () => work,
    );
    for (const [ms, read] of [
      [2_000, 1_234],
      [10_000, 5_000],
    ] as const) {
      assert.equal(timer?.[1], ms);
      timer[0]();
      onProgress(read, 5_000);
    }
    timer?.[0]();
    assert.deepEqual(shown, [
      "Listing the projects",
      "Reading projects: 1,234 of 5,000",
      "Reading projects: 5,000 of 5,000",
    ]);
    end();
    await done;
    assert.equal(timer, undefined);
  });
});
