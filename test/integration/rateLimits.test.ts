import assert from "node:assert/strict";
import { getProjects } from "../../sdk/index.js";
import {
  connectionTo,
  respondCorrectly,
  sendJson,
  startScriptedServer,
} from "../support/scriptedServer.js";

const count = 25;
const perSecond = 5;

/** The service allows 5 requests in each second to each user, and does not say when to try again. */
describe(`${count} reads of a service with a rate limit`, function () {
  this.timeout(120_000);

  const used = new Map<string, number>();
  let refused = 0;
  // All at the same time, because they only wait.
  const readings = new Map<number, Promise<number>>();

  before(async () => {
    const server = await startScriptedServer();
    server.respond = (request, response, body) => {
      if (request.url?.startsWith("/auth/") === true) {
        const username = new URLSearchParams(body).get("username");
        return sendJson(response, 200, { access_token: `token-of-${username}` });
      }
      const window = `${request.headers.authorization}, ${Math.floor(performance.now() / 1_000)}`;
      used.set(window, (used.get(window) ?? 0) + 1);
      if ((used.get(window) as number) > perSecond) {
        refused++;
        return void response.writeHead(429).end();
      }
      if (request.url?.endsWith("/projects") !== true) return respondCorrectly(request, response);
      const ids = Array.from({ length: count }, (_, n) => ({ _id: `x-${n}`, name: `n-${n}` }));
      sendJson(response, 200, { _embedded: { projectResources: ids } });
    };
    for (const maxConcurrency of [1, 16]) {
      const username = `user-${maxConcurrency}`;
      const connection = connectionTo(server.url, { username, maxConcurrency });
      const reading = getProjects({ details: true }, { connection });
      readings.set(
        maxConcurrency,
        reading.then(({ projects }) => projects.length),
      );
    }
  });

  for (const maxConcurrency of [1, 16]) {
    it(`succeed, ${maxConcurrency} at the same time`, async () => {
      assert.equal(await readings.get(maxConcurrency), count);
    });
  }

  it("have met the limit", () => assert.ok(refused > 0));
});
