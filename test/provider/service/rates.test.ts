import assert from "node:assert/strict";
import { Client } from "../../../provider/service/client.js";
import { clock, sleep } from "../../../provider/service/clock.js";
import { simulate } from "../../support/clock.js";
import { connectionTo } from "../../support/scriptedServer.js";
import { settingsOf } from "../../support/settings.js";

const responseMs = 15;
const refusalMs = 5;

type Respond = (id: number, nowMs: number) => number | readonly [status: number, headers: object];

/** Simulates a fleet. Returns the seconds, and which reads failed. */
async function readFleet(count: number, respond: Respond, maxConcurrency = 16) {
  const client = new Client(settingsOf(connectionTo("http://127.0.0.1", { maxConcurrency })));
  const send = async ({ context }: { context: { url: string } }) => {
    const response = respond(Number(new URL(context.url).pathname.slice(1)), clock.now());
    const [status, headers] = typeof response === "number" ? [response, {}] : response;
    await sleep(status === 200 ? responseMs : refusalMs);
    return { status, headers, body: Buffer.from("{}") };
  };
  Object.assign(client, { send, tokens: { token: () => Promise.resolve("token") } });
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
  let slowness: string | undefined;
  const ms = await simulate(async () => {
    await read(0);
    outcomes = await Promise.allSettled(Array.from({ length: count - 1 }, (_, n) => read(n + 1)));
    slowness = client.slowness;
  });
  const failed = outcomes.flatMap(({ status }, n) => (status === "rejected" ? [n + 1] : []));
  return { seconds: ms / 1_000, failed, slowness };
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

/** The server that fails responds at once, as servers do that are down behind a balancer. */
function thirdInTurn() {
  let requests = 0;
  return () => (++requests % 3 === 0 ? 503 : 200);
}

/** Uses a fixed sequence, because a test must not depend on luck. */
function thirdAtRandom(status: number) {
  let seed = 1;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % 3 === 0 ? status : 200;
  };
}

describe("a fleet (simulated)", () => {
  for (const status of [429, 503]) {
    it(`is read at the speed of a limiter of 60 a second with a burst of 200, by ${status}`, async () => {
      const { seconds, failed } = await readFleet(1_000, tokenBucket(60, 200, status));
      assert.deepEqual(failed, []);
      assert.ok(seconds < (1.3 * 800) / 60, `${seconds} s`);
    });

    it(`is read at the speed of a limiter of 20 a second without a burst, by ${status}`, async () => {
      const { seconds, failed, slowness } = await readFleet(200, tokenBucket(20, 1, status));
      assert.deepEqual(failed, []);
      assert.ok(seconds < (2 * 200) / 20, `${seconds} s`);
      assert.match(slowness ?? "", /^a rate limiter slows the reads down to about 1\d per second$/);
    });
  }

  for (const status of [503, 500, 401]) {
    it(`is hardly slower if a third of the responses are ${status}`, async () => {
      const { seconds, failed, slowness } = await readFleet(300, thirdAtRandom(status));
      assert.deepEqual(failed, []);
      assert.ok(seconds < 3, `${seconds} s`);
      assert.equal(slowness, undefined);
    });
  }

  it("is hardly slower if one of three servers responds with 503 in turn", async () => {
    const { seconds, failed } = await readFleet(300, thirdInTurn());
    assert.deepEqual(failed, []);
    assert.ok(seconds < 4, `${seconds} s`);
  });

  for (const headers of [{ "retry-after": "60" }, {}]) {
    const what = "retry-after" in headers ? "a" : "no";
    it(`is read in the windows of a limiter of 100 a minute, with ${what} Retry-After`, async () => {
      let [taken, window] = [0, 0];
      const { seconds, failed } = await readFleet(250, (_id, nowMs) => {
        if (Math.floor(nowMs / 60_000) > window) [taken, window] = [0, Math.floor(nowMs / 60_000)];
        return taken++ < 100 ? 200 : [429, headers];
      });
      assert.deepEqual(failed, []);
      assert.ok(seconds < 150, `${seconds} s`);
    });
  }

  for (const maxConcurrency of [16, 2]) {
    it(`is read although two projects always get 503 with Retry-After, ${maxConcurrency} at the same time`, async () => {
      const respond = (id: number) =>
        id === 1 || id === 2 ? ([503, { "retry-after": "120" }] as const) : 200;
      const { seconds, failed } = await readFleet(500, respond, maxConcurrency);
      assert.deepEqual(failed, [1, 2]);
      assert.ok(seconds < 10, `${seconds} s`);
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

  it("ends soon if the service asks to wait for more than two minutes", async () => {
    const { seconds, failed } = await readFleet(300, (id) =>
      id < 50 ? 200 : [429, { "retry-after": "121" }],
    );
    assert.equal(failed.length, 250);
    assert.ok(seconds < 1, `${seconds} s`);
  });

  it("ends soon if all requests fail after some time", async () => {
    for (const status of [500, 503]) {
      const { seconds, failed } = await readFleet(1_000, (id) => (id < 100 ? 200 : status));
      assert.equal(failed.length, 900);
      assert.ok(seconds < 2.5, `${seconds} s`);
    }
  });

  it("is read although one project always gets 429", async () => {
    const { seconds, failed } = await readFleet(3_000, (id) => (id === 5 ? 429 : 200));
    assert.deepEqual(failed, [5]);
    const { seconds: without } = await readFleet(3_000, () => 200);
    assert.ok(seconds < 1.3 * without, `${seconds} s instead of ${without} s`);
  });
});
