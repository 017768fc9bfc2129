import assert from "node:assert/strict";
import { RequestFailure } from "../../../provider/errors/requestFailure.js";
import { waitForRetry } from "../../../provider/service/retry.js";

describe("the wait before another attempt", () => {
  const { setTimeout } = globalThis;
  let waitedMs: number;
  beforeEach(() => {
    globalThis.setTimeout = ((callback: () => void, ms: number) => {
      waitedMs = ms;
      return setTimeout(callback, 0);
    }) as typeof setTimeout;
  });
  afterEach(() => Object.assign(globalThis, { setTimeout }));

  const failure = new RequestFailure("SERVICE_UNAVAILABLE", "", { isRetryable: true });
  for (const attempts of [1, 2]) {
    const aboutMs = attempts * 100;
    it(`is about ${aboutMs} ms after ${attempts}`, async () => {
      for (let sample = 0; sample < 100; sample++) {
        await waitForRetry(failure, attempts, Infinity);
        assert.ok(waitedMs >= 0.75 * aboutMs && waitedMs <= 1.25 * aboutMs, String(waitedMs));
      }
    });
  }
});
