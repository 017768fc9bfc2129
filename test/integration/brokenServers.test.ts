import assert from "node:assert/strict";
import { connect, createServer, type Socket } from "node:net";
import { getProjects } from "../../sdk/index.js";
import { useFastClock } from "../support/clock.js";
import { listen } from "../support/listen.js";
import {
  connectionTo,
  respondCorrectly,
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from "../support/scriptedServer.js";

const fleets = 12;
const size = 30;

/** Three servers behind a balancer that chooses one for each connection, as if at random. One of them is broken. */
describe("a fleet whose service is partly broken", () => {
  useFastClock();
  let healthy: ScriptedServer;
  let broken: ScriptedServer;
  let url: string;
  let acceptConnection: (socket: Socket) => void;
  let users = 0;

  before(async () => {
    healthy = await startScriptedServer();
    broken = await startScriptedServer();
    const balancer = createServer((socket) => acceptConnection(socket));
    url = `http://127.0.0.1:${await listen(balancer)}`;
  });
  beforeEach(() => {
    healthy.respond = respondToFleet;
    acceptConnection = (socket) => forward(socket, healthy);
  });

  const respondToFleet: ScriptedServer["respond"] = (request, response) => {
    if (request.url?.endsWith("/projects") !== true) return respondCorrectly(request, response);
    const projectResources = Array.from({ length: size }, (_, n) => ({ _id: `x-${n}`, name: "x" }));
    sendJson(response, 200, { _embedded: { projectResources } });
  };

  function forward(socket: Socket, server: ScriptedServer): void {
    const upstream = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.pipe(upstream).pipe(socket);
    for (const each of [socket, upstream]) each.on("error", () => socket.destroy());
  }

  function readFleet() {
    const settings = { authUrl: healthy.url, username: `user-${++users}`, timeoutSeconds: 600 };
    return getProjects({ details: true }, { connection: connectionTo(url, settings) });
  }

  for (const status of [undefined, 502, 503, 401]) {
    it(`is read if one of three servers ${status === undefined ? "resets connections" : `responds with ${status}`}, ${fleets} times`, async () => {
      broken.respond = (_request, response) => void response.writeHead(status as number).end();
      let seed = 1;
      let isFirst = true;
      acceptConnection = (socket) => {
        seed = (seed * 48_271) % 2_147_483_647;
        // The list is read alone, so it could have bad luck five times.
        if (isFirst || seed % 3 !== 0) forward(socket, healthy);
        else if (status === undefined) socket.resetAndDestroy();
        else forward(socket, broken);
        isFirst = false;
      };
      for (let fleet = 0; fleet < fleets; fleet++) {
        isFirst = true;
        assert.equal((await readFleet()).projects.length, size);
      }
    });

    it(`is read if all servers do so for 2 s in the middle, ${fleets} times`, async () => {
      for (let fleet = 0; fleet < fleets; fleet++) {
        let reads = 0;
        let endMs = Infinity;
        healthy.respond = (request, response) => {
          const isRead = request.url?.includes("/projects/") === true;
          if (isRead && ++reads === size / 2) endMs = performance.now() + 2_000 / 20;
          const isDown = isRead && reads >= size / 2 && performance.now() < endMs;
          if (!isDown) respondToFleet(request, response, "");
          else if (status === undefined) response.socket?.resetAndDestroy();
          else response.writeHead(status).end();
        };
        assert.equal((await readFleet()).projects.length, size);
      }
    });
  }
});
