import assert from "node:assert/strict";
import { ProjectServiceError } from "../../provider/errors.js";
import { isTransientStatus, Retry, retryAfterMs, Transient } from "../../provider/retry.js";
import { type TimeLimit, timeLimitsOf } from "../../provider/timeLimits.js";
import { failureOf } from "../support/failure.js";
import { InstantClock, usualLimits } from "../support/timeLimits.js";

const unavailable = () => new ProjectServiceError("SERVICE_UNAVAILABLE", "It failed.");

/** A retry whose time passes at once, and what it did. */
function setUp(random = 1) {
  const said: string[] = [];
  const clock = new InstantClock();
  const onWait = (reason: string, waitMs: number) => void said.push(`${reason} ${waitMs}`);
  const retry = new Retry(usualLimits, onWait, { clock, random: () => random });
  return { retry, waits: clock.waits, said, clock };
}

/** Fails so many times, then succeeds; counts the attempts. */
function failing(times: number, failure: () => Error = () => new Transient(unavailable())) {
  const attempt = (): Promise<string> => {
    attempt.count++;
    return attempt.count <= times ? Promise.reject(failure()) : Promise.resolve("done");
  };
  attempt.count = 0;
  return attempt;
}

describe("the retry", () => {
  it("makes three attempts, with waits of at most 200 and 400 ms between them", async () => {
    const { retry, waits } = setUp();
    const attempt = failing(2);
    assert.equal(await retry.run(attempt), "done");
    assert.equal(attempt.count, 3);
    assert.deepEqual(waits, [200, 400]);
    assert.deepEqual((await runWith(0.25)).waits, [50, 100]);
  });

  async function runWith(random: number) {
    const set = setUp(random);
    await set.retry.run(failing(2));
    return set;
  }

  it("really waits, and as long as chance has it, where no test says otherwise", async () => {
    const { random } = Math;
    Math.random = () => 0.5;
    try {
      const startMs = performance.now();
      await new Retry(usualLimits, () => {}).run(failing(1));
      assert.ok(performance.now() - startMs > 95);
    } finally {
      Math.random = random;
    }
  });

  it("gives up after the third attempt, with its error", async () => {
    const { retry } = setUp();
    const attempt = failing(9);
    await failureOf(retry.run(attempt), "SERVICE_UNAVAILABLE");
    assert.equal(attempt.count, 3);
  });

  it("does not repeat what is not transient", async () => {
    const { retry } = setUp();
    const attempt = failing(9, unavailable);
    await failureOf(retry.run(attempt), "SERVICE_UNAVAILABLE");
    assert.equal(attempt.count, 1);
  });

  it("waits as long as the server asks, up to 30 s, and says so", async () => {
    const { retry, waits, said } = setUp();
    await retry.run(failing(1, () => new Transient(unavailable(), 30_000)));
    assert.deepEqual(waits, [30_000]);
    assert.deepEqual(said, ["It failed. 30000"]);
  });

  it("does not wait longer than 30 s", async () => {
    const { retry } = setUp();
    const attempt = failing(1, () => new Transient(unavailable(), 30_001));
    await failureOf(retry.run(attempt), "SERVICE_UNAVAILABLE");
    assert.equal(attempt.count, 1);
  });

  it("says nothing of short waits", async () => {
    const { retry, said } = setUp();
    await retry.run(failing(1, () => new Transient(unavailable(), 2_000)));
    assert.deepEqual(said, []);
  });

  it("ends after 60 s in all, makes no attempt with no time left, and tells each its limit", async () => {
    const { retry, clock } = setUp();
    const limits: [string, number][] = [];
    const attempt = ({ of, endMs }: TimeLimit) => {
      limits.push([of, endMs - clock.monotonicMs()]);
      clock.pass(13_000);
      return Promise.reject(new Transient(unavailable(), 13_000));
    };
    await failureOf(retry.run(attempt), "SERVICE_UNAVAILABLE");
    assert.deepEqual(limits, [
      ["attempt", 15_000],
      ["attempt", 15_000],
      ["request", 8_000],
    ]);
  });

  it("gives one attempt all the time that it is allowed, also beyond 60 s", async () => {
    const clock = new InstantClock();
    const limits = timeLimitsOf({ timeoutSeconds: 600 });
    const retry = new Retry(limits, () => {}, { clock, random: () => 1 });
    const given: TimeLimit[] = [];
    await retry.run((limit) => Promise.resolve(given.push(limit)));
    assert.deepEqual(given, [{ of: "attempt", durationMs: 600_000, endMs: 601_000 }]);
  });

  it("ends with an outer limit, of which the attempts are told", async () => {
    const { retry, clock } = setUp();
    const outer = { of: "list", durationMs: 300_000, endMs: clock.monotonicMs() + 5_000 } as const;
    const given: TimeLimit[] = [];
    const attempt = (limit: TimeLimit) => {
      given.push(limit);
      clock.pass(4_000);
      return Promise.reject(new Transient(unavailable(), 2_000));
    };
    await failureOf(retry.run(attempt, outer), "SERVICE_UNAVAILABLE");
    assert.deepEqual(given, [outer]);
  });

  it("costs an outage at most 35 more requests, however much is read", async () => {
    const { retry } = setUp();
    const attempt = failing(Infinity);
    for (let read = 0; read < 1_000; read++) {
      await failureOf(retry.run(attempt), "SERVICE_UNAVAILABLE");
    }
    assert.equal(attempt.count, 1_035);
  });

  it("reads to the end what fails each first attempt", async () => {
    const { retry } = setUp();
    for (let read = 0; read < 1_000; read++) assert.equal(await retry.run(failing(1)), "done");
  });

  it("earns a retry back by four first attempts that succeed", async () => {
    const { retry } = setUp();
    const outage = failing(Infinity);
    for (let read = 0; read < 100; read++) await retry.run(outage).catch(() => {});
    const spent = outage.count;
    for (let read = 0; read < 4; read++) await retry.run(failing(0));
    for (let read = 0; read < 3; read++) await retry.run(outage).catch(() => {});
    assert.equal(outage.count - spent, 4);
  });
});

describe("a status", () => {
  it("says that the failure may pass: 408, 429, and those of 5xx that say so", () => {
    const statuses = Array.from({ length: 500 }, (_, index) => index + 100);
    assert.deepEqual(statuses.filter(isTransientStatus), [408, 429, 500, 502, 503, 504]);
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-03-02T09:30:00Z");
  for (const [header, expected] of [
    ["120", 120_000],
    [" 7 ", 7_000],
    ["1e9", undefined],
    ["Mon, 02 Mar 2026 09:30:05 GMT", 5_000],
    ["Mon, 02 Mar 2026 09:00:00 GMT", 0],
    ["soon", undefined],
    ["", undefined],
    [undefined, undefined],
  ] as const) {
    it(`of ${JSON.stringify(header)} asks for ${expected} ms`, () => {
      assert.equal(retryAfterMs(header, now), expected);
    });
  }
});
