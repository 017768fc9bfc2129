import assert from "node:assert/strict";
import { getProjects } from "../../sdk/index.js";
import {
  connectionTo,
  respondCorrectly,
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from "../support/scriptedServer.js";

const projects = 25;
const perSecond = 5;

/** Returns whether a request at a time is allowed. */
type Limiter = (nowMs: number) => boolean;

function fixedWindow(): Limiter {
  let window = 0;
  let used = 0;
  return (nowMs) => {
    const current = Math.floor(nowMs / 1_000);
    if (current !== window) [window, used] = [current, 0];
    return ++used <= perSecond;
  };
}

function tokenBucket(): Limiter {
  let tokens = perSecond;
  let beforeMs = performance.now();
  return (nowMs) => {
    tokens = Math.min(perSecond, tokens + ((nowMs - beforeMs) * perSecond) / 1_000);
    beforeMs = nowMs;
    if (tokens < 1) return false;
    tokens--;
    return true;
  };
}

/** The service allows 5 requests a second to each user, and does not say when to try again. */
describe(`${projects} reads of a service with a rate limit`, function () {
  this.timeout(120_000);

  let server: ScriptedServer;
  const limiters = new Map<string, Limiter>();
  let refused = 0;

  before(async () => {
    server = await startScriptedServer();
    server.respond = (request, response, body) => {
      if (request.url?.startsWith("/auth/") === true) {
        const username = new URLSearchParams(body).get("username");
        return sendJson(response, 200, { access_token: `token-of-${username}` });
      }
      const user = String(request.headers.authorization).replace("Bearer token-of-", "");
      if (limiters.get(user)?.(performance.now()) !== true) {
        refused++;
        return void response.writeHead(429).end();
      }
      if (request.url?.endsWith("/projects") !== true) return respondCorrectly(request, response);
      const ids = Array.from({ length: projects }, (_, n) => ({ _id: `x-${n}`, name: `n-${n}` }));
      sendJson(response, 200, { _embedded: { projectResources: ids } });
    };
  });

  // All at the same time, because they only wait.
  const cases = [1, 16].flatMap((maxConcurrency) =>
    Object.entries({ fixedWindow, tokenBucket }).map(([name, limiter]) => {
      const user = `${name}-${maxConcurrency}`;
      limiters.set(user, limiter());
      return { name, maxConcurrency, user, read: undefined as Promise<number> | undefined };
    }),
  );
  before(() => {
    for (const each of cases) {
      const { user: username, maxConcurrency } = each;
      const connection = connectionTo(server.url, { username, maxConcurrency });
      each.read = getProjects({ details: true }, { connection }).then((all) => all.projects.length);
    }
  });

  for (const each of cases) {
    it(`succeed with ${each.name}, ${each.maxConcurrency} at the same time`, async () => {
      assert.equal(await each.read, projects);
    });
  }

  it("have met the limit", () => assert.ok(refused > 0));
});
