import assert from "node:assert/strict";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { getProject } from "../../sdk/index.js";
import { useFastClock } from "../support/clock.js";
import { listen } from "../support/listen.js";
import { connectionTo, respondCorrectly } from "../support/scriptedServer.js";

/** A balancer can give each connection to another server. So it counts on which one a request comes. */
describe("the connection of a request", () => {
  useFastClock();
  let server: Server;
  let url: string;
  /** The sockets of the requests to the project API, in order. */
  let used: Socket[];
  let fail: (response: ServerResponse) => boolean;
  before(async () => {
    server = createServer((request, response) => {
      request.resume();
      if (request.url?.startsWith("/auth/") === true) return respondCorrectly(request, response);
      used.push(request.socket);
      if (!fail(response)) respondCorrectly(request, response);
    });
    url = `http://127.0.0.1:${await listen(server)}`;
  });
  beforeEach(() => {
    used = [];
  });

  let users = 0;
  /** Returns for each request whether it came on the connection of the one before. */
  async function reuseOf(...ids: string[]): Promise<boolean[]> {
    const connection = connectionTo(url, { username: `user-${++users}` });
    for (const projectId of ids) await getProject({ projectId }, { connection });
    return used.slice(1).map((socket, index) => socket === used[index]);
  }

  it("is used again after a success, and after a 429", async () => {
    fail = () => false;
    assert.deepEqual(await reuseOf("p-1", "p-2"), [true]);
    used = [];
    fail = (response) => used.length === 2 && !!response.writeHead(429).end();
    assert.deepEqual(await reuseOf("p-1", "p-2"), [true, true]);
  });

  for (const status of [401, 500, 502, 503]) {
    it(`is not used again after ${status}`, async () => {
      fail = (response) => used.length === 2 && !!response.writeHead(status).end("{}");
      assert.deepEqual(await reuseOf("p-1", "p-2"), [true, false]);
    });
  }

  it("is not used again after a request without a response, nor is another idle one", async () => {
    let held: ServerResponse[] = [];
    fail = (response) => {
      if (used.length <= 2) held.push(response);
      // Both connections are open, so both are idle afterwards.
      if (used.length === 2) {
        for (const each of held) respondCorrectly(each.req, each);
        held = [];
      }
      return used.length <= 3; // the third request gets no response
    };
    const connection = connectionTo(url, { username: `user-${++users}`, timeoutSeconds: 40 });
    const read = (projectId: string) => getProject({ projectId }, { connection });
    await Promise.all([read("p-1"), read("p-2")]);
    await read("p-3");
    assert.ok(used.slice(0, 2).includes(used[2] as Socket));
    assert.ok(!used.slice(0, 3).includes(used[3] as Socket));
  });

  it("leads to one of three servers, and a fleet is read although one of them is broken", async () => {
    const broken = new Map<Socket, boolean>();
    fail = (response) => {
      const { socket } = response.req;
      // The first read is alone, so it could have bad luck five times.
      if (!broken.has(socket)) broken.set(socket, used.length > 1 && broken.size % 3 === 0);
      if (!broken.get(socket)) return false;
      const status = [502, 503, 401][broken.size % 4];
      if (status === undefined) socket.resetAndDestroy();
      else response.writeHead(status).end();
      return true;
    };
    const connection = connectionTo(url, { username: `user-${++users}` });
    const ids = Array.from({ length: 60 }, (_, index) => `x-${index}`);
    const read = (projectId: string) => getProject({ projectId }, { connection });
    await read("x-0");
    assert.equal((await Promise.all(ids.map(read))).length, ids.length);
    assert.ok([...broken.values()].filter(Boolean).length > 3);
  });
});
