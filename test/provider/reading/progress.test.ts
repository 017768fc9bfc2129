import assert from "node:assert/strict";
import { mock } from "node:test";
import { showProgressLine } from "../../../command/standardStreams.js";
import { clock } from "../../../provider/http/clock.js";
import { readCounter, withProgress } from "../../../provider/reading/progress.js";

describe("progress", () => {
  const { setTimeout, clearTimeout } = clock;
  /** The callback and the time of the timer that runs. */
  let timer: [callback: () => void, ms: number] | undefined;
  beforeEach(() => {
    const start = (...given: NonNullable<typeof timer>) => (timer = given);
    Object.assign(clock, { setTimeout: start, clearTimeout: () => (timer = undefined) });
  });
  afterEach(() => Object.assign(clock, { setTimeout, clearTimeout }));

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

  for (const [where, isTTY, TERM] of [
    ["a log", false, "xterm"],
    ["a terminal that cannot replace a line", true, "dumb"],
  ] as const) {
    it(`of a command is a whole line every 10 s in ${where}`, async () => {
      const { TERM: earlier } = process.env;
      const write = mock.method(process.stderr, "write", () => true);
      const { isTTY: earlierTty } = process.stderr;
      process.stderr.isTTY = isTTY;
      process.env["TERM"] = TERM;
      try {
        const seconds: (number | undefined)[] = [];
        await showProgressLine(
          () => "Reading projects: 5 of 9",
          () => {
            for (let line = 0; line < 2; line++) {
              seconds.push(timer?.[1]);
              timer?.[0]();
            }
            return Promise.resolve();
          },
        );
        assert.deepEqual(seconds, [10_000, 10_000]);
        const lines = write.mock.calls.map(({ arguments: [text] }) => text);
        assert.deepEqual(lines, Array(2).fill("Reading projects: 5 of 9\n"));
      } finally {
        process.env["TERM"] = earlier;
        process.stderr.isTTY = earlierTty;
        write.mock.restore();
      }
    });
  }
});
