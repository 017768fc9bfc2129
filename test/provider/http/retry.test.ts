import assert from "node:assert/strict";
import { ProjectServiceError } from "../../../provider/errors/projectServiceError.js";
import {
  RetryableError,
  TimeoutError,
  TransportError,
  type TransportErrorKind,
} from "../../../provider/errors/internalErrors.js";
import {
  isRetryableError,
  isRetryableSignInError,
  isRetryableSignInStatus,
  isRetryableStatus,
  Retry,
  retryAfterMs,
} from "../../../provider/http/retry.js";
import { type TimeLimit, timeLimitsOf } from "../../../provider/http/limits.js";
import { failureOf } from "../../support/failure.js";
import { InstantClock } from "../../support/instantClock.js";
import { defaultLimits } from "../../support/timeLimits.js";

const unavailable = () => new ProjectServiceError("SERVICE_UNAVAILABLE", "It failed.");

/** Makes a Retry whose waits end at once, and which records them. */
function setUp(random = 1) {
  const messages: string[] = [];
  const clock = new InstantClock();
  const onWait = (message: string) => void messages.push(message);
  const retry = new Retry(defaultLimits, onWait, { clock, random: () => random });
  return { retry, waits: clock.waits, messages, clock };
}

/** Makes an attempt that fails `times` times, then succeeds. It counts its calls. */
function failing(times: number, failure: () => Error = () => new RetryableError(unavailable())) {
  const attempt = (): Promise<string> => {
    attempt.count++;
    return attempt.count <= times ? Promise.reject(failure()) : Promise.resolve("done");
  };
  attempt.count = 0;
  return attempt;
}

describe("retries", () => {
  it("follow after a random wait of at most 200 ms, then 400 ms", async () => {
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

  it("wait in real time, for a random duration", async () => {
    const { random } = Math;
    Math.random = () => 0.5;
    try {
      const startMs = performance.now();
      await new Retry(defaultLimits, () => {}).run(failing(1));
      assert.ok(performance.now() - startMs > 95);
    } finally {
      Math.random = random;
    }
  });

  it("end after the third attempt, with its error", async () => {
    const { retry } = setUp();
    const attempt = failing(9);
    await failureOf(retry.run(attempt), "SERVICE_UNAVAILABLE");
    assert.equal(attempt.count, 3);
  });

  it("do not follow after an error that is not retryable", async () => {
    const { retry } = setUp();
    const attempt = failing(9, unavailable);
    await failureOf(retry.run(attempt), "SERVICE_UNAVAILABLE");
    assert.equal(attempt.count, 1);
  });

  it("wait as long as the server asks, up to 30 s, and report it", async () => {
    const { retry, waits, messages } = setUp();
    await retry.run(failing(1, () => new RetryableError(unavailable(), 30_000)));
    assert.deepEqual(waits, [30_000]);
    assert.deepEqual(messages, ["It failed. Next attempt in 30 s."]);
  });

  it("do not follow if the server asks to wait longer than 30 s", async () => {
    const { retry } = setUp();
    const attempt = failing(1, () => new RetryableError(unavailable(), 30_001));
    await failureOf(retry.run(attempt), "SERVICE_UNAVAILABLE");
    assert.equal(attempt.count, 1);
  });

  it("do not report short waits", async () => {
    const { retry, messages } = setUp();
    await retry.run(failing(1, () => new RetryableError(unavailable(), 2_000)));
    assert.deepEqual(messages, []);
  });

  it("end after 60 s in total, start no attempt without time left, and pass each attempt its limit", async () => {
    const { retry, clock } = setUp();
    const limits: [string, number][] = [];
    const attempt = ({ name, endMs }: TimeLimit) => {
      limits.push([name, endMs - clock.monotonicMs()]);
      clock.pass(13_000);
      return Promise.reject(new RetryableError(unavailable(), 13_000));
    };
    await failureOf(retry.run(attempt), "SERVICE_UNAVAILABLE");
    assert.deepEqual(limits, [
      ["attempt", 15_000],
      ["attempt", 15_000],
      ["request", 8_000],
    ]);
  });

  it("allow one attempt all of timeoutSeconds, also more than 60 s", async () => {
    const clock = new InstantClock();
    const retry = new Retry(timeLimitsOf({ timeoutSeconds: 600 }), () => {}, {
      clock,
      random: () => 1,
    });
    const limits: TimeLimit[] = [];
    await retry.run((limit) => Promise.resolve(limits.push(limit)));
    assert.deepEqual(limits, [{ name: "attempt", durationMs: 600_000, endMs: 601_000 }]);
  });

  it("end with an outer limit, which each attempt receives", async () => {
    const { retry, clock } = setUp();
    const outer = {
      name: "list",
      durationMs: 300_000,
      endMs: clock.monotonicMs() + 5_000,
    } as const;
    const limits: TimeLimit[] = [];
    const attempt = (limit: TimeLimit) => {
      limits.push(limit);
      clock.pass(4_000);
      return Promise.reject(new RetryableError(unavailable(), 2_000));
    };
    await failureOf(retry.run(attempt, outer), "SERVICE_UNAVAILABLE");
    assert.deepEqual(limits, [outer]);
  });

  it("cause at most 35 more requests in an outage, however many reads there are", async () => {
    const { retry } = setUp();
    const attempt = failing(Infinity);
    for (let read = 0; read < 1_000; read++) {
      await failureOf(retry.run(attempt), "SERVICE_UNAVAILABLE");
    }
    assert.equal(attempt.count, 1_035);
  });

  it("complete all reads from a service that fails every first attempt", async () => {
    const { retry } = setUp();
    for (let read = 0; read < 1_000; read++) assert.equal(await retry.run(failing(1)), "done");
  });

  it("are allowed again after an outage: one after four first attempts that succeed", async () => {
    const { retry } = setUp();
    const outage = failing(Infinity);
    for (let read = 0; read < 100; read++) await retry.run(outage).catch(() => {});
    const spent = outage.count;
    for (let read = 0; read < 4; read++) await retry.run(failing(0));
    for (let read = 0; read < 3; read++) await retry.run(outage).catch(() => {});
    assert.equal(outage.count - spent, 4);
  });

  it("have their full budget again after a minute without a retry", async () => {
    const { retry, clock } = setUp(0);
    const outage = failing(Infinity);
    const failReads = async () => {
      for (let read = 0; read < 100; read++) await retry.run(outage).catch(() => {});
    };
    await failReads();
    clock.pass(59_999);
    await failReads();
    assert.equal(outage.count, 235);
    clock.pass(1);
    await failReads();
    assert.equal(outage.count, 370);
  });

  it("do not follow if asking whether they may fails", async () => {
    const { retry } = setUp();
    const attempt = failing(1);
    const run = retry.run(attempt, undefined, () => Promise.reject(new Error("unknown")));
    await failureOf(run, "SERVICE_UNAVAILABLE");
    assert.equal(attempt.count, 1);
  });
});

describe("retries of many requests at the same time", () => {
  for (const concurrency of [16, 64, 256]) {
    it(`repeat each of ${concurrency} requests once`, async () => {
      const clock = new InstantClock();
      const environment = { clock, random: () => 0 };
      const retry = new Retry(defaultLimits, () => {}, environment, concurrency);
      const reads = Array.from({ length: concurrency }, () => retry.run(failing(1)));
      assert.deepEqual(new Set(await Promise.all(reads)), new Set(["done"]));
    });
  }
});

describe("a read", () => {
  it("may be repeated after the statuses 408, 429, 500, 502, 503 and 504 only", () => {
    const statuses = Array.from({ length: 500 }, (_, index) => index + 100);
    assert.deepEqual(statuses.filter(isRetryableStatus), [408, 429, 500, 502, 503, 504]);
  });

  for (const [kind, code, isRetryable] of [
    ["network", "ECONNRESET", true],
    ["network", "407", true],
    ["proxy", "ECONNREFUSED", true],
    ["proxy", "E2", true],
    ["proxy", "2E", true],
    ["proxy", "407", false],
    ["proxy", "SELF_SIGNED_CERT_IN_CHAIN", false],
    ["tls", "CERT_HAS_EXPIRED", false],
    ["tooLarge", "EMSGSIZE", false],
    ["malformed", "HPE_INVALID_CONSTANT", false],
  ] as [TransportErrorKind, string, boolean][]) {
    it(`may ${isRetryable ? "" : "not "}be repeated after the ${kind} error ${code}`, () => {
      assert.equal(isRetryableError(new TransportError(kind, code)), isRetryable);
    });
  }

  it("may be repeated after a timeout, but not after other errors", () => {
    assert.equal(isRetryableError(new TimeoutError("attempt", 1)), true);
    assert.equal(isRetryableError(new Error("ECONNRESET")), false);
  });
});

describe("a sign-in", () => {
  it("may be repeated after the statuses 429 and 503 only", () => {
    const statuses = Array.from({ length: 500 }, (_, index) => index + 100);
    assert.deepEqual(statuses.filter(isRetryableSignInStatus), [429, 503]);
  });

  it("may be repeated only if there was no connection", () => {
    const codes = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"];
    const isRetryable = (code: string) =>
      isRetryableSignInError(new TransportError("network", code));
    assert.deepEqual([...codes, "ECONNRESET", "EPIPE", "407"].filter(isRetryable), codes);
    assert.equal(isRetryableSignInError(new TimeoutError("attempt", 1)), false);
    assert.equal(isRetryableSignInError({ code: "ECONNREFUSED" }), false);
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
    ["Monday, 02-Mar-26 09:30:05 GMT", 5_000],
    ["Mon Mar  2 09:30:05 2026", 5_000],
    ["Mon, 32 Mar 2026 09:30:05 GMT", undefined],
    ["2026-03-02T09:31:00Z", undefined],
    ["March 2026", undefined],
    ["-1", undefined],
    ["1.5", undefined],
    ["5, 10", undefined],
    ["+5", undefined],
    ["soon", undefined],
    ["", undefined],
    [undefined, undefined],
  ] as const) {
    const meaning = expected === undefined ? "asks for no wait" : `asks to wait ${expected} ms`;
    it(`with ${JSON.stringify(header)} ${meaning}`, () => {
      assert.equal(retryAfterMs(header, now), expected);
    });
  }
});
