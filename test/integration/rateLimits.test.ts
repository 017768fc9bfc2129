import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { getProject, getProjects } from "../../sdk/index.js";
import { useClock, useFastClock } from "../support/clock.js";
import { failureOf } from "../support/failure.js";
import {
  connectionTo,
  respondCorrectly,
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from "../support/scriptedServer.js";

const count = 60;
const intervalMs = 50;

/** As nginx does without a burst, the service takes a request every 50 ms, and does not say when to try again. */
describe("a service with a rate limit", () => {
  const clock = useClock();
  let server: ScriptedServer;
  const nextMs = new Map<string, number>();
  const refused = new Map<string, number>();

  before(async () => {
    server = await startScriptedServer();
    server.respond = (request, response, body) => {
      if (request.url?.startsWith("/auth/") === true) {
        const username = new URLSearchParams(body).get("username");
        return sendJson(response, 200, { access_token: username });
      }
      const user = request.headers.authorization?.replace("Bearer ", "") ?? "";
      const nowMs = performance.now();
      if (nowMs < (nextMs.get(user) ?? 0)) {
        refused.set(user, (refused.get(user) ?? 0) + 1);
        return void response.writeHead(Number(user.split("-")[0])).end();
      }
      nextMs.set(user, nowMs + intervalMs);
      if (request.url?.endsWith("/projects") !== true) return respondCorrectly(request, response);
      const ids = Array.from({ length: count }, (_, n) => ({ _id: `x-${n}`, name: `n-${n}` }));
      sendJson(response, 200, { _embedded: { projectResources: ids } });
    };
  });

  for (const status of [429, 503]) {
    for (const maxConcurrency of [1, 16]) {
      it(`gives all of ${count} projects, with ${status} and ${maxConcurrency} at the same time`, async () => {
        const username = `${status}-${maxConcurrency}`;
        const connection = connectionTo(server.url, { username, maxConcurrency });
        const { projects } = await getProjects({ details: true }, { connection });
        assert.equal(projects.length, count);
        if (maxConcurrency > 1) assert.ok((refused.get(username) ?? 0) > 5);
      });
    }
  }

  it("ends all reads if it refuses every one for three minutes", async () => {
    const username = "429-always";
    nextMs.set(username, Infinity);
    const connection = connectionTo(server.url, { username });
    const reads = Array.from({ length: 40 }, (_, n) =>
      failureOf(getProject({ projectId: `x-${n}` }, { connection }), "RATE_LIMITED"),
    );
    while ((refused.get(username) ?? 0) < 20) await new Promise((next) => setTimeout(next, 10));
    clock.pass(181_000);
    const messages = (await Promise.all(reads)).map(({ message }) => message);
    const unsent = messages.filter((message) => message.startsWith("This read was not sent, "));
    assert.ok(unsent.length > 0 && unsent.length < 40, String(unsent.length));
    assert.ok((refused.get(username) ?? 0) < 60);
  });
});

describe("a service with a server that is overloaded", () => {
  useFastClock();

  it("gets up to twenty attempts of a read after 503, while other reads succeed", async () => {
    const busy = await startScriptedServer();
    const connection = connectionTo(busy.url, { timeoutSeconds: 300 });
    const attempts = new Map<string, number>();
    async function refuse(path: string, response: ServerResponse): Promise<void> {
      const attempt = (attempts.get(path) ?? 0) + 1;
      attempts.set(path, attempt);
      await getProject({ projectId: `other-${attempt}-of-${path}` }, { connection });
      response.writeHead(503).end();
    }
    busy.respond = (request, response) => {
      const path = request.url?.split("/").at(-1) ?? "";
      const refusals = { nineteen: 19, twenty: 20 }[path] ?? 0;
      if ((attempts.get(path) ?? 0) === refusals) respondCorrectly(request, response);
      else void refuse(path, response);
    };
    await getProject({ projectId: "nineteen" }, { connection });
    await failureOf(getProject({ projectId: "twenty" }, { connection }), "SERVICE_UNAVAILABLE");
    assert.deepEqual([...attempts.values()], [19, 20]);
  });
});
