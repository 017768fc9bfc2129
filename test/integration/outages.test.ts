import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { getProject } from "../../sdk/index.js";
import { useFastClock } from "../support/clock.js";
import {
  connectionTo,
  respondCorrectly,
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from "../support/scriptedServer.js";

type Respond = (response: ServerResponse) => void;

const status =
  (code: number): Respond =>
  (response) =>
    void response.writeHead(code).end();

const noResponse: Respond = () => {};

describe("many reads from a service with failures", () => {
  useFastClock();
  let server: ScriptedServer;
  let users = 0;
  before(async () => {
    server = await startScriptedServer();
    // The first read loads modules, which takes long on a busy machine.
    serve(() => undefined);
    await readAll(1);
  });

  /** Makes the server respond correctly, unless `failureOf` returns another response to a read. */
  function serve(failureOf: (path: string) => Respond | undefined) {
    server.requests.length = 0;
    server.respond = (request, response) => {
      const path = request.url ?? "";
      const fail = path.startsWith("/auth/") ? undefined : failureOf(path);
      if (fail === undefined) respondCorrectly(request, response);
      else fail(response);
    };
  }

  const newUser = () => ({ username: `user-${++users}` });

  /** Starts reads of the projects `x-0`, `x-1` and so on. Each resolves to true or to its error. */
  function startReads(numbers: readonly number[], settings: object = newUser()) {
    const connection = connectionTo(server.url, { timeoutSeconds: 200, ...settings });
    return numbers.map((number) => {
      const projectId = `x-${number}`;
      return getProject({ projectId }, { connection }).then(
        (project) => project.projectId === projectId,
        (error: unknown) => error,
      );
    });
  }

  function readAll(count: number, settings: object = {}): Promise<unknown[]> {
    return Promise.all(startReads([...Array(count).keys()], { ...newUser(), ...settings }));
  }

  function assertAllFailed(outcomes: readonly unknown[], code: string): void {
    for (const outcome of outcomes) {
      assert.ok(outcome instanceof ProjectServiceError, String(outcome));
      assert.equal(outcome.code, code);
    }
  }

  const countOf = (part: string) =>
    server.requests.filter(({ path }) => path.includes(part)).length;

  it("all succeed if each first attempt fails: by 502, a reset, or without response", async () => {
    const seen = new Set<string>();
    serve((path) => {
      if (seen.has(path)) return undefined;
      seen.add(path);
      const reset: Respond = (response) => void response.socket?.destroy();
      return [status(502), reset, noResponse][seen.size % 3];
    });
    const outcomes = await readAll(200, { timeoutSeconds: 50, maxConcurrency: 32 });
    assert.deepEqual(new Set(outcomes), new Set([true]));
    assert.equal(countOf("/projects/"), 400);
  });

  for (const [what, fail, code] of [
    ["503", status(503), "SERVICE_UNAVAILABLE"],
    ["no response", noResponse, "TIMEOUT"],
  ] as const) {
    it(`all fail with one clear error, after few requests, if each request gets ${what}`, async () => {
      serve(() => fail);
      const startMs = performance.now();
      assertAllFailed(await readAll(1_000, { timeoutSeconds: 15 }), code);
      const seconds = (performance.now() - startMs) / 1_000;
      // 16 reads, and 15 in the place of those that failed, with five attempts each.
      assert.ok(server.requests.length < 160, String(server.requests.length));
      assert.ok(seconds <= 20, `${seconds} s`);
    });
  }

  it("end after few requests and sign-ins if each request gets 401", async () => {
    serve(() => status(401));
    assertAllFailed(await readAll(500), "TOKEN_REFUSED");
    assert.ok(server.requests.length < 300, String(server.requests.length));
    assert.ok(countOf("/auth/") < 100, String(countOf("/auth/")));
  });

  it("end after few sign-ins if the realm does not exist", async () => {
    server.requests.length = 0;
    server.respond = (_request, response) =>
      sendJson(response, 404, { error: "Realm does not exist" });
    assertAllFailed(await readAll(100, { maxConcurrency: 1 }), "LOGIN_REJECTED");
    assert.equal(countOf("/auth/"), 8);
  });

  it("all succeed but the bad ones if seven in a row get 500, and eight run at the same time", async () => {
    serve((path) => (/-[0-6]$/.test(path) ? status(500) : undefined));
    const outcomes = await readAll(40, { maxConcurrency: 8 });
    assert.deepEqual(outcomes.slice(7), Array<boolean>(33).fill(true));
  });

  it("succeed after an outage, one at the same time, although one of them fails", async () => {
    let isDown = true;
    serve((path) => (isDown || path.endsWith("/x-100") ? status(500) : undefined));
    const settings = { ...newUser(), maxConcurrency: 1 };
    assertAllFailed(await readAll(20, settings), "SERVICE_UNAVAILABLE");
    isDown = false;
    const [broken, ...others] = await Promise.all(startReads([100, 101, 102], settings));
    assertAllFailed([broken], "SERVICE_UNAVAILABLE");
    assert.deepEqual(others, [true, true]);
  });

  it("keep maxConcurrency for each of 40 users in a process", async () => {
    const running = new Map<unknown, number>();
    let most = 0;
    serve(() => undefined);
    const { respond } = server;
    server.respond = (request, response, body) => {
      const key = request.headers["x-user"];
      const now = (running.get(key) ?? 0) + 1;
      running.set(key, now);
      most = Math.max(most, now);
      setTimeout(() => {
        running.set(key, running.get(key)! - 1);
        respond(request, response, body);
      }, 50);
    };
    const users = Array.from({ length: 40 }, (_, n) => ({
      ...{ username: `many-${n}`, headers: { "x-user": String(n) }, maxConcurrency: 1 },
    }));
    const reads = [0, 1, 2].flatMap((id) => users.flatMap((user) => startReads([id], user)));
    assert.deepEqual(new Set(await Promise.all(reads)), new Set([true]));
    assert.equal(most, 1);
  });

  it("have a timeout that does not include the wait for their turn", async () => {
    serve(() => (response) => {
      setTimeout(() => respondCorrectly(response.req, response), 100);
    });
    const startMs = performance.now();
    const outcomes = await readAll(30, { maxConcurrency: 1, timeoutSeconds: 40 });
    assert.deepEqual(new Set(outcomes), new Set([true]));
    assert.ok(performance.now() - startMs > 2_000, "the last read had to wait longer than 2 s");
  });
});
