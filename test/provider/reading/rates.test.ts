import assert from "node:assert/strict";
import { RequestFailure } from "../../../provider/errors/requestFailure.js";
import { Client } from "../../../provider/reading/client.js";
import { clock, sleep } from "../../../provider/http/clock.js";
import { simulate } from "../../support/clock.js";
import { connectionTo } from "../../support/scriptedServer.js";
import { settingsOf } from "../../support/settings.js";

const refusalMs = 5;

/** Without a status, the connection is reset. */
type Respond = (
  id: number,
  nowMs: number,
) => number | undefined | readonly [status: number, headers: object];

interface Fleet {
  readonly maxConcurrency?: number;
  /** Whether a read comes before the others. Default true. */
  readonly hasFirst?: boolean;
  readonly responseMs?: number;
}

/** Simulates a fleet. Returns the seconds, and which reads failed. */
async function readFleet(count: number, respond: Respond, fleet: Fleet = {}) {
  const { maxConcurrency = 16, hasFirst = true, responseMs = 15 } = fleet;
  const client = new Client(settingsOf(connectionTo("http://127.0.0.1", { maxConcurrency })));
  const send = async ({ context }: { context: { url: string } }) => {
    const response = respond(Number(new URL(context.url).pathname.slice(1)), clock.now());
    const [status, headers] = typeof response === "object" ? response : [response, {}];
    await sleep(status === 200 ? responseMs : refusalMs);
    if (status === undefined) throw new RequestFailure("UNREACHABLE", "", { isRetryable: true });
    return { status, headers, body: Buffer.from("{}") };
  };
  const tokens = { token: () => Promise.resolve("token"), drop: () => {} };
  Object.assign(client, { send, tokens });
  const read = (id: number) => {
    const url = `http://127.0.0.1/${id}`;
    const context = {
      operation: "Reading",
      url,
      urlSetting: "baseUrl",
      projectId: `${id}`,
    } as const;
    return client.read(context, (get) => get(url));
  };
  let outcomes: PromiseSettledResult<unknown>[] = [];
  const ms = await simulate(async () => {
    if (hasFirst) await read(0);
    outcomes = await Promise.allSettled(Array.from({ length: count - 1 }, (_, n) => read(n + 1)));
  });
  const failed = outcomes.flatMap(({ status }, n) => (status === "rejected" ? [n + 1] : []));
  const messages = outcomes.map((each) => String((each as PromiseRejectedResult).reason));
  return { seconds: ms / 1_000, failed, messages };
}

/** Takes `perSecond` requests a second, and `burst` at once. */
function tokenBucket(perSecond: number, burst: number, status: number) {
  let tokens = burst;
  let lastMs = 0;
  return (_id: number, nowMs: number) => {
    tokens = Math.min(burst, tokens + ((nowMs - lastMs) * perSecond) / 1_000);
    lastMs = nowMs;
    if (tokens < 1) return status;
    tokens--;
    return 200;
  };
}

/** Returns a fixed sequence of numbers below one, because a test must not depend on luck. */
function sequence(): (below: number) => number {
  let seed = 1;
  return (below) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return Math.floor((seed / 2_147_483_647) * below);
  };
}

/** Takes `perMinute` requests in each minute. */
function windows(perMinute: number, headers: object = {}): Respond {
  let [taken, window] = [0, 0];
  return (_id, nowMs) => {
    if (Math.floor(nowMs / 60_000) > window) [taken, window] = [0, Math.floor(nowMs / 60_000)];
    return taken++ < perMinute ? 200 : [429, headers];
  };
}

function thirdAtRandom(status: number) {
  const number = sequence();
  return () => (number(3) === 0 ? status : 200);
}

describe("a fleet (simulated)", () => {
  const { random } = Math;
  before(() => {
    const numbers = sequence();
    Math.random = () => numbers(1_000) / 1_000; // of the waits, which are spread
  });
  after(() => void (Math.random = random));

  for (const status of [429, 503]) {
    it(`is read at the speed of a limiter of 60 a second with a burst of 200, by ${status}`, async () => {
      const { seconds, failed } = await readFleet(1_000, tokenBucket(60, 200, status));
      assert.deepEqual(failed, []);
      assert.ok(seconds < (1.3 * 800) / 60, `${seconds} s`);
    });

    it(`is read at the speed of a limiter of 20 a second without a burst, by ${status}`, async () => {
      const { seconds, failed } = await readFleet(200, tokenBucket(20, 1, status));
      assert.deepEqual(failed, []);
      assert.ok(seconds < (2 * 200) / 20, `${seconds} s`);
    });
  }

  it("of 3,000 projects takes at most twice the least time behind a limiter of 200 a second", async () => {
    for (const maxConcurrency of [2, 16, 64]) {
      const limiter = tokenBucket(200, 1, 429);
      const { seconds, failed } = await readFleet(3_000, limiter, { maxConcurrency });
      assert.deepEqual(failed, []);
      assert.ok(seconds < (2 * 3_000) / 200, `${seconds} s`);
    }
  });

  for (const status of [503, 500, 401]) {
    it(`is hardly slower if a third of the responses are ${status}`, async () => {
      const { seconds, failed } = await readFleet(300, thirdAtRandom(status));
      assert.deepEqual(failed, []);
      assert.ok(seconds < 3, `${seconds} s`);
    });
  }

  for (const headers of [{ "retry-after": "60" }, {}]) {
    const what = "retry-after" in headers ? "a" : "no";
    it(`is read in the windows of a limiter of 100 a minute, with ${what} Retry-After`, async () => {
      const { seconds, failed } = await readFleet(250, windows(100, headers));
      assert.deepEqual(failed, []);
      assert.ok(seconds < 150, `${seconds} s`);
    });
  }

  for (const maxConcurrency of [16, 2]) {
    it(`is read although two projects always get 503 with Retry-After, ${maxConcurrency} at the same time`, async () => {
      const respond = (id: number) =>
        id === 21 || id === 22 ? ([503, { "retry-after": "120" }] as const) : 200;
      const { seconds, failed } = await readFleet(500, respond, { maxConcurrency });
      assert.deepEqual(failed, [21, 22]);
      assert.ok(seconds < 12, `${seconds} s`);
    });
  }

  it("waits once if the service asks for it", async () => {
    const respond: Respond = (_id, nowMs) =>
      nowMs < 30_000 ? [503, { "retry-after": "31" }] : 200;
    const { seconds, failed } = await readFleet(100, respond);
    assert.deepEqual(failed, []);
    assert.ok(seconds < 32, `${seconds} s`);
  });

  for (const waits of [
    [100, 121],
    [121, 100],
  ]) {
    it(`ends soon if the service asks to wait for ${waits.join(" s, and then for ")} s`, async () => {
      const left = [...waits];
      const { seconds, failed } = await readFleet(300, (id) =>
        id < 50 ? 200 : [429, { "retry-after": `${left.shift() ?? waits[1]}` }],
      );
      assert.equal(failed.length, 250);
      assert.ok(seconds < 1, `${seconds} s`);
    });
  }

  for (const status of [500, 401, undefined]) {
    for (const [when, before, count] of [
      ["from the start", 0, 20],
      ["after 100 projects", 100, 1_000],
    ] as const) {
      it(`ends after 4 to 6 s if all requests fail ${when}, with ${status ?? "a reset"}`, async () => {
        const respond = (id: number) => (id < before ? 200 : status);
        const all = count + Math.max(before, 1);
        const { seconds, failed } = await readFleet(all, respond, { hasFirst: false });
        assert.equal(failed.length, count);
        assert.ok(seconds > 4 && seconds < 6, `${seconds} s`);
      });
    }
  }

  it("ends if all requests fail after some time with 503, which could be a limiter", async () => {
    const { seconds, failed } = await readFleet(1_000, (id) => (id < 100 ? 200 : 503));
    assert.equal(failed.length, 900);
    assert.ok(seconds < 13, `${seconds} s`);
  });

  for (const maxConcurrency of [1, 16]) {
    it(`ends three minutes after the last success if all requests are refused, ${maxConcurrency} at the same time`, async () => {
      const respond: Respond = (id) => (id === 0 ? 200 : 429);
      const { seconds, failed } = await readFleet(40, respond, { maxConcurrency });
      assert.equal(failed.length, 39);
      assert.ok(seconds > 175 && seconds < 185, `${seconds} s`);
    });
  }

  for (const maxConcurrency of [2, 16]) {
    it(`loses no read behind a limiter of 100 a minute if a third of the responses are 503, ${maxConcurrency} at the same time`, async () => {
      const limiter = windows(100);
      const number = sequence();
      const respond: Respond = (id, nowMs) =>
        id > 0 && number(3) === 0 ? 503 : limiter(id, nowMs);
      const { failed } = await readFleet(250, respond, { maxConcurrency });
      assert.deepEqual(failed, []);
    });
  }

  const bad = [undefined, 502, 503, 401];
  for (const maxConcurrency of [1, 2, 16]) {
    it(`loses no read if a third of the responses are bad, ${maxConcurrency} at the same time`, async () => {
      const number = sequence();
      const respond = (id: number) => (id > 0 && number(3) === 0 ? bad[number(4)] : 200);
      for (let fleet = 0; fleet < 40; fleet++) {
        const { failed } = await readFleet(100, respond, { maxConcurrency });
        assert.deepEqual(failed, []);
      }
    });

    for (const [ms, status] of [
      [300, undefined],
      [2_000, undefined],
      [2_000, 502],
      [2_000, 503],
      [3_000, 401],
    ] as const) {
      it(`loses no read in ${ms} ms of ${status ?? "resets"}, ${maxConcurrency} at the same time`, async () => {
        for (let startMs = 100; startMs < 400; startMs += 25) {
          const isDown = (nowMs: number) => nowMs > startMs && nowMs < startMs + ms;
          const respond: Respond = (_id, nowMs) => (isDown(nowMs) ? status : 200);
          const { failed } = await readFleet(50 * maxConcurrency, respond, { maxConcurrency });
          assert.deepEqual(failed, []);
        }
      });
    }

    it(`loses no read if responses take 6 s, or come only one in 6 s, ${maxConcurrency} at the same time`, async () => {
      const slow = await readFleet(40, () => 200, { maxConcurrency, responseMs: 6_000 });
      assert.deepEqual(slow.failed, []);
      for (const headers of [{}, { "retry-after": "6" }]) {
        const respond = tokenBucket(1 / 6, 1, 429);
        const limited = await readFleet(
          20,
          (id, nowMs) => (respond(id, nowMs) === 200 ? 200 : [429, headers]),
          { maxConcurrency },
        );
        assert.deepEqual(limited.failed, []);
      }
    });
  }

  it("of one project loses at most one read of 100 if a third of the responses are bad", async () => {
    const number = sequence();
    let lost = 0;
    for (let read = 0; read < 400; read++) {
      const respond = () => (number(3) === 0 ? bad[number(4)] : 200);
      lost += (await readFleet(2, respond, { hasFirst: false, maxConcurrency: 1 })).failed.length;
    }
    assert.ok(lost <= 4, `${lost} lost`);
  });

  it("does not say of a read that was sent that it was not", async () => {
    const respond: Respond = () => [429, { "retry-after": "100" }];
    const { messages } = await readFleet(2, respond, { hasFirst: false });
    assert.match(String(messages), /: Reading 1 failed: the service responded with status 429 /);
  });

  for (const headers of [{}, { "retry-after": "1" }]) {
    const what = "retry-after" in headers ? "a" : "no";
    it(`is read although one project always gets 429 with ${what} Retry-After, which ends after three minutes`, async () => {
      const respond: Respond = (id) => (id === 5 ? [429, headers] : 200);
      const { seconds, failed } = await readFleet(500, respond);
      assert.deepEqual(failed, [5]);
      assert.ok(seconds > 175 && seconds < 185, `${seconds} s`);
    });
  }
});
