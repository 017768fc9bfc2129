import assert from "node:assert/strict";
import { Pace } from "../../../provider/service/pace.js";

/** The time for 200 requests, 16 at the same time, each with a response after 5 ms, on a clock of its own. */
function simulatedMs(status: 429 | 503, isRefused: (sentMs: number) => boolean): number {
  const pace = new Pace();
  const waiting: number[] = [];
  let [nowMs, done] = [0, 0];
  performance.now = () => nowMs;
  for (; done < 200; nowMs++) {
    while (waiting[0] !== undefined && waiting[0] + 5 <= nowMs) {
      const sentMs = waiting.shift() as number;
      if (isRefused(sentMs)) pace.recordRefusal(status, sentMs, -Infinity);
      else {
        pace.recordSuccess(sentMs);
        done++;
      }
    }
    while (waiting.length < 16 && pace.start(nowMs) === 0) waiting.push(nowMs);
  }
  return nowMs;
}

describe("the pace of requests", () => {
  const now = performance.now.bind(performance);
  afterEach(() => {
    performance.now = now;
  });

  for (const status of [429, 503] as const) {
    it(`is near that of a limiter of 20 a second, which refuses with ${status}`, () => {
      let nextMs = 0;
      const ms = simulatedMs(status, (sentMs) => {
        if (sentMs < nextMs) return true;
        nextMs = sentMs + 50;
        return false;
      });
      assert.ok(ms >= 9_900 && ms < 16_000, `${ms} ms`);
    });
  }

  it("stays that of the service if one of three responses is 503", () => {
    let responses = 0;
    const ms = simulatedMs(503, () => ++responses % 3 === 0);
    assert.ok(ms < 200, `${ms} ms`);
  });

  it("is slower soon if a limiter begins to refuse with 503 after many successes", () => {
    const pace = new Pace();
    for (let n = 0; n < 200; n++) pace.recordSuccess(performance.now());
    let refusals = 0;
    for (let waitMs = 0; waitMs === 0; waitMs = pace.start(performance.now())) {
      pace.recordRefusal(503, performance.now(), -Infinity);
      refusals++;
    }
    assert.ok(refusals < 16, `${refusals} refusals`);
  });

  it("is that of the service again when a limiter stops to refuse", () => {
    assert.ok(simulatedMs(429, (sentMs) => sentMs < 1_000) < 5_000);
  });
});
