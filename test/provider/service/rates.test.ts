import assert from "node:assert/strict";
import { Client } from "../../../provider/service/client.js";
import { clock, sleep } from "../../../provider/service/clock.js";
import { simulate } from "../../support/clock.js";
import { connectionTo } from "../../support/scriptedServer.js";
import { settingsOf } from "../../support/settings.js";

const responseMs = 15;

/** Simulates a fleet, 16 reads at the same time. Returns the seconds, and the requests for each read. */
async function readFleet(count: number, statusOf: (id: number, nowMs: number) => number) {
  const client = new Client(settingsOf(connectionTo("http://127.0.0.1", { maxConcurrency: 16 })));
  let requests = 0;
  const send = async ({ context }: { context: { url: string } }) => {
    requests++;
    const status = statusOf(Number(new URL(context.url).pathname.slice(1)), clock.now());
    await sleep(responseMs);
    return { status, headers: {}, body: Buffer.from("{}") };
  };
  Object.assign(client, { send, tokens: { present: "token" } });
  const read = (id: number) => {
    const url = `http://127.0.0.1/${id}`;
    const context = { operation: "Reading", url, urlSetting: "baseUrl", projectId: `${id}` } as const;
    return client.read(url, context, (get) => get(url));
  };
  let outcomes: PromiseSettledResult<unknown>[] = [];
  const ms = await simulate(async () => {
    await read(0);
    outcomes = await Promise.allSettled(Array.from({ length: count - 1 }, (_, n) => read(n + 1)));
  });
  const failed = outcomes.flatMap(({ status }, n) => (status === "rejected" ? [n + 1] : []));
  return { seconds: ms / 1_000, requestsPerRead: requests / count, failed };
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
      const { seconds, failed } = await readFleet(200, tokenBucket(20, 1, status));
      assert.deepEqual(failed, []);
      assert.ok(seconds < (2 * 200) / 20, `${seconds} s`);
    });
  }

  for (const status of [503, 500, 401]) {
    it(`is hardly slower if a third of the responses are ${status}`, async () => {
      const { seconds, failed } = await readFleet(300, thirdAtRandom(status));
      assert.deepEqual(failed, []);
      assert.ok(seconds < 3, `${seconds} s`);
    });
  }

  it("is read although one project always gets 429", async () => {
    const { seconds, failed } = await readFleet(3_000, (id) => (id === 5 ? 429 : 200));
    assert.deepEqual(failed, [5]);
    const { seconds: without } = await readFleet(3_000, () => 200);
    assert.ok(seconds < 1.3 * without, `${seconds} s instead of ${without} s`);
  });
});
