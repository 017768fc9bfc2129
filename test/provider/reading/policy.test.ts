import assert from "node:assert/strict";
import { ProjectServiceError } from "../../../provider/errors/projectServiceError.js";
import {
  historyAfter,
  nextStep,
  noAttempts,
  othersSucceed,
  outageError,
  type ServiceState,
  slownessOf,
  startedState,
  stateAfter,
  stateAfterFailure,
  type Step,
} from "../../../provider/reading/policy.js";
import {
  isRateLimited,
  isRetryableStatus,
  retryAfterMs,
} from "../../../provider/http/httpResponse.js";
import { signInWaitMs } from "../../../provider/http/signInPolicy.js";

interface Case {
  readonly status?: number;
  readonly attempts?: number;
  readonly hasNewToken?: boolean;
  readonly leftMs?: number;
}

/** Decides after a response, or after none. */
function stepAfter(
  { status, attempts = 1, hasNewToken = false, leftMs = 60_000 }: Case,
  isAlone: boolean,
): Step {
  const isRetryable = status === undefined || isRetryableStatus(status);
  const attemptsAlone = isAlone ? attempts : 0;
  const history = { ...noAttempts, attempts, attemptsAlone, hasNewToken };
  return nextStep({ status, isRetryable }, history, leftMs);
}

const waits = (...times: (number | "fail")[]): Step[] =>
  times.map((waitMs) => (waitMs === "fail" ? waitMs : { waitMs }));
const besideOthers = waits(60, 120, 180, 180, 180, "fail");
const alone = waits(100, 400, 1_200, 3_000, "fail", "fail");

const failures = [undefined, 408, 425, 500, 502, 503, 504, 507, 520, 599];
const final = [301, 304, 400, 403, 404, 418, 501, 505, 511];

/** The rows of "Retries and limits" in docs/reference.md: after one to five and twenty attempts. */
const rows: readonly [name: string, statuses: (number | undefined)[], ...steps: Step[][]][] = [
  ["200", [200], Array(6).fill("done"), Array(6).fill("done")],
  ["429", [429], ...Array<Step[]>(2).fill(waits(60, 60, 60, 60, 60, "fail"))],
  ["a failure of a server, or no response", failures, besideOthers, alone],
  ["401", [401], besideOthers, Array(6).fill("newToken")],
  ["another status", final, Array(6).fill("fail"), Array(6).fill("fail")],
];

describe("the next step of a read", () => {
  for (const [name, statuses, ...steps] of rows) {
    for (const [index, isAlone] of [false, true].entries()) {
      it(`after ${name}, while ${isAlone ? "no " : ""}others succeed`, () => {
        for (const status of statuses) {
          const found = [1, 2, 3, 4, 5, 20].map((attempts) =>
            stepAfter({ ...(status === undefined ? {} : { status }), attempts }, isAlone),
          );
          assert.deepEqual(found, steps[index], `status ${status}`);
        }
      });
    }
  }

  it("after a 401 with a new token is another attempt, because it can come from one server of several", () => {
    const steps = [1, 2, 3, 4, 5].map((attempts) =>
      stepAfter({ status: 401, attempts, hasNewToken: true }, true),
    );
    assert.deepEqual(steps, alone.slice(0, 5));
  });

  it("is its end if no time is left", () => {
    for (const status of [429, 503, undefined] as const) {
      for (const isAlone of [true, false]) {
        const given = status === undefined ? {} : { status };
        assert.equal(stepAfter({ ...given, leftMs: 50 }, isAlone), "fail");
      }
    }
  });
});

describe("what attempts say about the service", () => {
  const failure = new ProjectServiceError("SERVICE_UNAVAILABLE", "");
  const after = (...statuses: number[]) =>
    statuses.reduce((state, status, endMs) => {
      const outcome = { status, isRetryable: true, sentMs: 0, endMs };
      const attempt = status === 200 ? outcome : { ...outcome, error: failure };
      return stateAfter(state, attempt, 1, 2);
    }, startedState(0));
  const times = (count: number, status: number) => Array<number>(count).fill(status);

  it("others succeed until eight attempts, or as many as run at the same time, have failed since", () => {
    assert.equal(othersSucceed(startedState(0), 2), false);
    assert.equal(othersSucceed(after(200, ...times(7, 500)), 2), true);
    assert.equal(othersSucceed(after(200, ...times(8, 500)), 2), false);
    assert.equal(othersSucceed(after(200, ...times(8, 500)), 9), true);
    assert.equal(othersSucceed(after(200, ...times(8, 500), 200), 2), true);
  });

  it("a 429 shows that the service is up", () => {
    assert.equal(othersSucceed(after(200, ...times(8, 500), 429), 2), true);
    assert.equal(othersSucceed(after(429), 2), false);
  });

  it("eight failed reads are an outage, unless a response in between shows that the service is up", () => {
    const failedReads = (count: number, from: ServiceState) =>
      times(count, 0).reduce((state) => stateAfterFailure(state, failure), from);
    // If a service behind a rate limiter is down, most responses are 429.
    for (const [status, isOutage] of [
      ...[401, 408, 429, 500].map((each) => [each, true] as const),
      ...[200, 403, 404].map((each) => [each, false] as const),
    ]) {
      const attempt = { status, isRetryable: true, error: failure, sentMs: 0, endMs: 1 };
      const between = stateAfter(failedReads(4, startedState(0)), attempt, 1, 2);
      const error = outageError(failedReads(4, between), 2, 1);
      assert.equal(error, isOutage ? failure : undefined, `status ${status}`);
    }
  });

  it("the attempts of a read count as alone while nobody succeeds, and a 429 never", () => {
    const attempt = { isRetryable: true, sentMs: 0, endMs: 5 };
    const attemptsAfter = (given: object, ...states: ServiceState[]) =>
      states.reduce((h, state) => historyAfter(h, { ...attempt, ...given }, state, 2), noAttempts);
    const down = after(200, ...times(8, 500));
    const { attempts, attemptsAlone, spentMs } = attemptsAfter({}, down, down, down);
    assert.deepEqual([attempts, attemptsAlone, spentMs], [3, 3, 15]);
    assert.equal(attemptsAfter({}, down, after(200), down).attemptsAlone, 1);
    assert.equal(attemptsAfter({ status: 429 }, down, after(200)).attempts, 0);
  });
});

describe("the gap between requests", () => {
  const failure = new ProjectServiceError("RATE_LIMITED", "");
  const up = { ...startedState(0), failedAttempts: 0 };
  const refused = (state: ServiceState, sentMs: number, given: object = {}) => {
    const attempt = { status: 429, isRetryable: true, error: failure, sentMs, endMs: sentMs };
    return stateAfter(state, { ...attempt, ...given }, 1, 2);
  };
  const succeeded = (state: ServiceState) =>
    stateAfter(state, { status: 200, isRetryable: false, sentMs: 0, endMs: 9 }, 1, 2);

  it("grows after a refusal, but not again by requests that were sent before it grew", () => {
    const once = refused(up, 10);
    assert.equal(once.gapMs, 4);
    assert.equal(refused(once, 9).gapMs, 4);
    assert.equal(refused(once, 10).gapMs, 6);
    assert.equal(refused({ ...once, gapMs: 900 }, 10).gapMs, 1_000);
  });

  it("shrinks after successes, faster if a 503 made it grow, until it is nothing", () => {
    assert.equal(succeeded({ ...refused(up, 10), gapMs: 100 }).gapMs, 95);
    assert.equal(succeeded({ ...refused(up, 10, { status: 503 }), gapMs: 100 }).gapMs, 75);
    assert.equal(succeeded({ ...up, gapMs: 0.9 }).gapMs, 0);
  });

  it("becomes nothing if a 503 shows that nobody succeeds", () => {
    const down = { ...up, failedAttempts: 8, gapMs: 100 };
    assert.equal(refused(down, 10, { status: 503 }).gapMs, 0);
  });

  it("becomes a pause if a 429 asks for one, and while nobody succeeds, any failure that may be repeated", () => {
    const down = { ...up, failedAttempts: 8 };
    const pauseAfter = (state: ServiceState, given: object) =>
      refused(state, 0, { retryAfterMs: 6_500, ...given }).pause.endMs;
    for (const status of [429, ...failures]) {
      assert.equal(pauseAfter(down, { status }), 6_500, `status ${status}`);
      assert.equal(pauseAfter(up, { status }) > 0, status === 429, `status ${status}`);
    }
    for (const status of [401, ...final]) {
      assert.equal(pauseAfter(down, { status, isRetryable: false }), -Infinity, `status ${status}`);
    }
  });

  it("is said in progress if it is long, and so is a pause", () => {
    const slow = (gapMs: number) => slownessOf({ ...up, gapMs }, 0);
    assert.deepEqual([slow(0), slow(9)], [undefined, undefined]);
    assert.equal(slow(10), "refusals of the service slow the reads down to about 100 per second");
    assert.equal(slow(1_000), "refusals of the service slow the reads down to about 1 per second");
    const paused = refused(up, 0, { retryAfterMs: 6_500 });
    assert.equal(slownessOf(paused, 500), "the service asks to wait 6 s");
    assert.equal(slownessOf(paused, 6_500), undefined);
  });
});

describe("the wait before another sign-in", () => {
  const unsent = { wasSent: false, isRetryable: true };
  const waitsAfter = (outcome: object) =>
    [1, 2, 3, 4, 5, 6].map((attempts) => signInWaitMs(outcome, attempts, 30_000));

  it("is that of a read that is alone if there was no connection, and long after 429 and 503", () => {
    assert.deepEqual(waitsAfter(unsent), [100, 400, 1_200, 3_000, undefined, undefined]);
    for (const status of [429, 503]) {
      const busy = [1_400, 2_800, 2_800, 2_800, 2_800, undefined];
      assert.deepEqual(waitsAfter({ status }), busy);
    }
  });

  it("never comes if the password may have been checked", () => {
    const statuses = Array.from({ length: 200 }, (_, index) => 400 + index);
    const others = statuses.filter((status) => status !== 429 && status !== 503);
    for (const outcome of [
      {},
      ...others.map((status) => ({ status, isRetryable: true })),
      { wasSent: false },
    ]) {
      assert.deepEqual(waitsAfter(outcome), Array(6).fill(undefined));
    }
  });

  it("is what the identity provider asks for", () => {
    assert.equal(signInWaitMs({ status: 503, retryAfterMs: 7_000 }, 1, 30_000), 7_000);
    assert.equal(signInWaitMs({ status: 503, retryAfterMs: 31_000 }, 1, 30_000), undefined);
    // A date in the past would repeat a password without a pause.
    assert.equal(signInWaitMs({ status: 503, retryAfterMs: 0 }, 1, 30_000), 1_400);
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
