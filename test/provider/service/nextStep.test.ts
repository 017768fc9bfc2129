import assert from "node:assert/strict";
import {
  isRetryableStatus,
  nextStep,
  signInWaitMs,
  type Step,
} from "../../../provider/service/nextStep.js";
import { isRateLimited, retryAfterMs } from "../../../provider/service/rateLimitHeaders.js";

interface Case {
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly attempts?: number;
  readonly hasNewToken?: boolean;
  readonly elapsedMs?: number;
  readonly leftMs?: number;
}

/** Decides after a response, or after none. */
function stepAfter(
  { status, retryAfterMs, attempts = 0, hasNewToken = false, elapsedMs = 0, leftMs = 60_000 }: Case,
  othersSucceed: boolean,
): Step {
  const isRetryable = status === undefined || isRetryableStatus(status);
  const outcome = { status, retryAfterMs, isRetryable };
  return nextStep(outcome, { attempts, hasNewToken }, othersSucceed, elapsedMs, leftMs);
}

const soon = { waitMs: 60 };
const besideOthers: Step[] = [soon, { waitMs: 120 }, { waitMs: 180 }, { waitMs: 180 }, "fail"];
const alone: Step[] = [soon, soon, soon, "fail", "fail"];
const free = { waitMs: 60, isFree: true };

const ofServers = [408, 425, 500, 502, 503, 504, 507, 520, 527, 529, 530, 598];
const final = [301, 304, 400, 403, 404, 418, 501, 505, 511, 528];

/** The rows of "Retries and limits" in docs/reference.md: after one, two, three, five and twenty attempts. */
const rows: readonly [name: string, statuses: (number | undefined)[], ...steps: Step[][]][] = [
  ["200", [200], Array(5).fill("done"), Array(5).fill("done")],
  ["429", [429], [soon, soon, soon, soon, "fail"], Array(5).fill(free)],
  ["a failure of a server", ofServers, besideOthers, alone],
  ["401", [401], besideOthers, Array(5).fill("newToken")],
  [
    "no response",
    [undefined],
    ...Array<Step[]>(2).fill([{ waitMs: 100 }, { waitMs: 200 }, "fail", "fail", "fail"]),
  ],
  ["another status", final, Array(5).fill("fail"), Array(5).fill("fail")],
];

describe("the next step of a read", () => {
  for (const [name, statuses, ...steps] of rows) {
    for (const [index, othersSucceed] of [true, false].entries()) {
      it(`after ${name}, while ${othersSucceed ? "" : "no "}others succeed`, () => {
        for (const status of statuses) {
          const found = [0, 1, 2, 4, 19].map((attempts) =>
            stepAfter({ ...(status === undefined ? {} : { status }), attempts }, othersSucceed),
          );
          assert.deepEqual(found, steps[index], `status ${status}`);
        }
      });
    }
  }

  it("after a 401 with a new token is another attempt, because it can come from one server of several", () => {
    const steps = [0, 1, 2, 4].map((attempts) =>
      stepAfter({ status: 401, attempts, hasNewToken: true }, false),
    );
    assert.deepEqual(steps, alone.slice(0, 4));
  });

  it("is its end after three slow attempts, or three pauses, unless others succeed", () => {
    for (const status of [500, 503]) {
      const slow = (attempts: number, othersSucceed: boolean) =>
        stepAfter({ status, attempts, elapsedMs: 1_000 }, othersSucceed);
      assert.deepEqual([slow(1, false), slow(2, false)], [soon, "fail"]);
      assert.deepEqual(slow(2, true), { waitMs: 180 });
    }
  });

  it("is its end if the service asks for a longer wait than 120 s", () => {
    for (const [ms, end] of [
      [120_000, false],
      [121_000, true],
    ] as const) {
      for (const [status, othersSucceed, step] of [
        [429, true, soon],
        [429, false, free],
        [503, false, soon],
      ] as const) {
        const found = stepAfter({ status, retryAfterMs: ms }, othersSucceed);
        assert.deepEqual(found, end ? "fail" : step, `${status} ${ms}`);
      }
      // One server of several asks for it.
      assert.deepEqual(stepAfter({ status: 503, retryAfterMs: ms }, true), soon);
    }
  });

  it("is its end if no time is left", () => {
    for (const status of [429, 503, undefined] as const) {
      for (const othersSucceed of [true, false]) {
        const given = status === undefined ? {} : { status };
        assert.equal(stepAfter({ ...given, leftMs: 50 }, othersSucceed), "fail");
      }
    }
  });
});

describe("the wait before another sign-in", () => {
  const unsent = { wasSent: false, isRetryable: true };
  const waits = (outcome: object, hadToken: boolean) =>
    [1, 2, 3, 20].map((attempts) => signInWaitMs(outcome, attempts, hadToken, 30_000));

  it("is short without a connection, with three attempts, and long after 429 and 503, with six", () => {
    assert.deepEqual(waits(unsent, false), [100, 200, undefined, undefined]);
    for (const status of [429, 503]) {
      assert.deepEqual(waits({ status }, false), [1_400, 2_800, 2_800, undefined]);
      assert.equal(signInWaitMs({ status }, 5, false, 30_000), 2_800);
      assert.equal(signInWaitMs({ status }, 6, false, 30_000), undefined);
    }
  });

  it("is repeated until the time ends if there was a token, but not after 429", () => {
    assert.deepEqual(waits(unsent, true), [100, 200, 300, 1_000]);
    assert.deepEqual(waits({ status: 503 }, true), [1_400, 2_800, 2_800, 2_800]);
    assert.deepEqual(waits({ status: 429 }, true), [1_400, 2_800, 2_800, undefined]);
    assert.equal(signInWaitMs(unsent, 20, true, 900), undefined);
  });

  it("never comes if the password may have been checked", () => {
    const statuses = Array.from({ length: 200 }, (_, index) => 400 + index);
    const others = statuses.filter((status) => status !== 429 && status !== 503);
    for (const outcome of [
      {},
      ...others.map((status) => ({ status, isRetryable: true })),
      { wasSent: false },
    ]) {
      assert.deepEqual(waits(outcome, true), Array(4).fill(undefined));
    }
  });

  it("is what the identity provider asks for", () => {
    assert.equal(signInWaitMs({ status: 503, retryAfterMs: 7_000 }, 1, false, 30_000), 7_000);
    assert.equal(signInWaitMs({ status: 503, retryAfterMs: 31_000 }, 1, false, 30_000), undefined);
    // A date in the past would repeat a password without a pause.
    assert.equal(signInWaitMs({ status: 503, retryAfterMs: 0 }, 1, true, 30_000), 1_400);
  });
});

describe("a response", () => {
  it("asks to wait for seconds, or until a date on its own clock", () => {
    const date = "Tue, 03 Mar 2020 10:00:00 GMT";
    for (const [text, ms] of [
      ["7", 7_000],
      [" 0 ", 0],
      ["Tue, 03 Mar 2020 10:00:30 GMT", 30_000],
      ["Tue, 03 Mar 2020 09:00:00 GMT", 0],
      ["soon", undefined],
      ["-1", undefined],
      ["2020-03-03", undefined],
    ] as const) {
      assert.equal(retryAfterMs({ "retry-after": text, date }), ms, text);
    }
    assert.equal(retryAfterMs({}), undefined);
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    const ms = retryAfterMs({ "retry-after": inAMinute }) ?? 0;
    assert.ok(ms > 50_000 && ms <= 60_000, String(ms));
  });

  it("is of a rate limiter if it is a 429, or a 403 that says so", () => {
    assert.ok(isRateLimited(429, {}));
    assert.ok(isRateLimited(403, { "retry-after": "5" }));
    assert.ok(isRateLimited(403, { "x-ratelimit-remaining": "0" }));
    assert.ok(!isRateLimited(403, { "x-ratelimit-remaining": "1" }));
    assert.ok(!isRateLimited(503, { "retry-after": "5" }));
  });
});
