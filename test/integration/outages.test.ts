import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { getProject } from "../../sdk/index.js";
import { repository } from "../support/paths.js";
import { wireProject } from "../support/project.js";
import { type ScriptedServer, sendJson, startScriptedServer } from "../support/scriptedServer.js";

type Respond = (response: ServerResponse) => void;

const badProject: Respond = (response) => sendJson(response, 500, {});

const sendEncoded: Respond = (response) =>
  void response.writeHead(200, { "content-encoding": "br" }).end("x");

function statusOf(outcome: unknown): unknown {
  return outcome instanceof ProjectServiceError ? outcome.status : outcome;
}

describe("many reads from a service with failures", () => {
  let server: ScriptedServer;
  let run = 0;
  before(async () => {
    server = await startScriptedServer();
  });

  /** Makes the server respond correctly, unless `failureOf` returns another response to a read. */
  function serve(failureOf: (path: string) => Respond | undefined) {
    server.requests.length = 0;
    server.respond = (request, response) => {
      const path = request.url ?? "";
      if (path.startsWith("/auth/")) return sendJson(response, 200, { access_token: "t" });
      const fail = failureOf(path);
      if (fail !== undefined) return fail(response);
      sendJson(response, 200, { ...wireProject(), _id: path.split("/").at(-1) });
    };
  }

  interface ReadAllOptions {
    readonly timeoutSeconds?: number;
    readonly maxConcurrency?: number;
    readonly username?: string;
  }

  /** Starts reads of the projects `x-0`, `x-1` and so on. Each resolves to true or to its error. */
  function startReads(
    numbers: readonly number[],
    { timeoutSeconds = 10, maxConcurrency = 16, username = newUser() }: ReadAllOptions = {},
  ): Promise<unknown>[] {
    const connection = {
      baseUrl: server.url,
      authUrl: server.url,
      realm: "r",
      clientId: "c",
      username,
      password: "p",
      timeoutSeconds,
      maxConcurrency,
    };
    return numbers.map((number) => {
      const projectId = `x-${number}`;
      return getProject({ projectId }, { connection }).then(
        (project) => project.projectId === projectId,
        (error: unknown) => error,
      );
    });
  }

  function readAll(count: number, options?: ReadAllOptions): Promise<unknown[]> {
    return Promise.all(startReads([...Array(count).keys()], options));
  }

  const newUser = () => `user-${++run}`;
  const signIns = () => server.requests.filter(({ path }) => path.startsWith("/auth/")).length;
  const reads = () => server.requests.filter(({ path }) => path.includes("/projects/")).length;

  it("all succeed if each first attempt fails: by 503, a reset, or without response", async () => {
    const seen = new Set<string>();
    serve((path) => {
      if (seen.has(path)) return undefined;
      seen.add(path);
      const failures: Respond[] = [
        (response) => sendJson(response, 503, {}),
        (response) => void response.socket?.destroy(),
        () => {}, // the deadline ends the attempt
      ];
      return failures[seen.size % 3];
    });
    // The budget of 500 points is enough for 35 retries at the same time.
    const outcomes = await readAll(200, { timeoutSeconds: 4, maxConcurrency: 32 });
    assert.deepEqual(new Set(outcomes), new Set([true]));
    assert.equal(reads(), 400);
  });

  it("all succeed if 5 % of all requests fail", async () => {
    // A hash of project and attempt decides, so that each run is the same. With real chance, one read
    // in 8,000 would fail three times, and with it one run in eight.
    const attempts = new Map<string, number>();
    serve((path) => {
      const attempt = (attempts.get(path) ?? 0) + 1;
      attempts.set(path, attempt);
      const hash = createHash("sha256").update(`${path} ${attempt}`).digest().readUInt16BE();
      return hash % 100 < 5 ? (response) => sendJson(response, 502, {}) : undefined;
    });
    assert.deepEqual(new Set(await readAll(1_000)), new Set([true]));
    assert.ok(reads() > 1_030, String(reads()));
  });

  it("all succeed if each first attempt of 64 at the same time is reset", async () => {
    const seen = new Set<string>();
    serve((path) => {
      if (seen.has(path)) return undefined;
      seen.add(path);
      return (response) => void response.socket?.destroy();
    });
    assert.deepEqual(new Set(await readAll(64, { maxConcurrency: 64 })), new Set([true]));
  });

  for (const [what, fail, code] of [
    ["503", (response: ServerResponse) => sendJson(response, 503, {}), "SERVICE_UNAVAILABLE"],
    ["no response", () => {}, "TIMEOUT"],
  ] as const) {
    it(`all fail with one clear error, after few requests, if each request gets ${what}`, async () => {
      const timeoutSeconds = 3;
      serve(() => fail);
      const startMs = performance.now();
      const outcomes = await readAll(1_000, { timeoutSeconds });
      const seconds = (performance.now() - startMs) / 1_000;
      for (const outcome of outcomes) {
        assert.ok(outcome instanceof ProjectServiceError);
        assert.equal(outcome.code, code);
      }
      // Reads start in the place of those that failed, until 16 have failed.
      assert.ok(new Set(outcomes).size <= 16 + 15 + 1, "the waiting reads share an error");
      assert.ok(server.requests.length < 70, String(server.requests.length));
      assert.ok(seconds <= 5 * timeoutSeconds, `${seconds} s`);
    });
  }

  for (const [status, headers, code] of [
    [401, {}, "TOKEN_REFUSED"],
    [429, { "retry-after": "120" }, "RATE_LIMITED"],
    [429, {}, "RATE_LIMITED"],
    [503, {}, "SERVICE_UNAVAILABLE"],
  ] as const) {
    const what = `${status}${"retry-after" in headers ? " with a Retry-After of two minutes" : ""}`;
    it(`end after few requests and sign-ins if each request gets ${what}`, async () => {
      serve(() => (response) => void response.writeHead(status, headers).end());
      const outcomes = await readAll(500);
      for (const outcome of outcomes) {
        assert.ok(outcome instanceof ProjectServiceError);
        assert.equal(outcome.code, code);
      }
      assert.ok(server.requests.length < 70, String(server.requests.length));
      assert.ok(signIns() <= 1 + 10, String(signIns()));
    });
  }

  it("send the password at most ten times more if a third of the requests gets 401", async () => {
    let requests = 0;
    serve(() => (++requests % 3 === 0 ? (response) => sendJson(response, 401, {}) : undefined));
    const outcomes = await readAll(500);
    assert.equal(signIns(), 1 + 10);
    for (const outcome of outcomes) {
      if (outcome === true) continue;
      assert.ok(outcome instanceof ProjectServiceError);
      assert.equal(outcome.code, "TOKEN_REFUSED");
    }
  });

  it("all succeed but the bad ones if every tenth gets 501", async () => {
    serve((path) => (path.endsWith("0") ? (response) => sendJson(response, 501, {}) : undefined));
    const outcomes = await readAll(500);
    const expected = outcomes.map((_, index) => (index % 10 === 0 ? 501 : true));
    assert.deepEqual(outcomes.map(statusOf), expected);
  });

  it("all succeed but the bad ones if two of 40 never get a response, two at the same time", async () => {
    serve((path) => (/-[01]$/.test(path) ? () => {} : undefined));
    const outcomes = await readAll(40, { timeoutSeconds: 2, maxConcurrency: 2 });
    assert.deepEqual(outcomes.slice(2), Array<boolean>(38).fill(true));
  });

  it("all succeed but the bad ones if the first 16 get 500, and the list works", async () => {
    serve((path) => (/-(\d|1[0-5])$/.test(path) ? badProject : undefined));
    const outcomes = await readAll(40, { maxConcurrency: 8 });
    assert.deepEqual(outcomes.slice(16), Array<boolean>(24).fill(true));
  });

  for (const [what, disturb] of [
    ["a rejected token", (response: ServerResponse) => sendJson(response, 401, {})],
    ["503 once", badProject],
    ["a reset", (response: ServerResponse) => void response.socket?.destroy()],
    ["429 once", (response: ServerResponse) => void response.writeHead(429).end()],
    ["an unknown encoding", sendEncoded],
  ] as const) {
    it(`all succeed but the bad ones if the request for the list gets ${what}`, async () => {
      let lists = 0;
      serve((path) => (/-(\d|1[0-5])$/.test(path) ? badProject : undefined));
      const { respond } = server;
      server.respond = (request, response, body) => {
        if (!request.url?.endsWith("/projects")) return respond(request, response, body);
        return ++lists === 1 ? disturb(response) : sendJson(response, 200, {});
      };
      const outcomes = await readAll(40, { maxConcurrency: 8 });
      assert.deepEqual(outcomes.slice(16), Array<boolean>(24).fill(true));
      assert.ok(lists > 0);
    });
  }

  it("go on if a read succeeds while the list does not respond", async () => {
    const timeoutSeconds = 3;
    serve((path) => {
      if (path.endsWith("/projects")) return () => {};
      if (/-\d$/.test(path)) return badProject;
      if (!path.endsWith("/x-10")) return undefined;
      return (response) =>
        void setTimeout(() => sendJson(response, 200, { ...wireProject(), _id: "x-10" }), 1_500);
    });
    const outcomes = await readAll(40, { timeoutSeconds, maxConcurrency: 8 });
    assert.deepEqual(outcomes.slice(10), Array<boolean>(30).fill(true));
  });

  it("are retried again after an outage, while an old read is still running", async () => {
    let isDown = true;
    const seen = new Set<string>();
    let finishSlow = (): void => {};
    serve((path) => {
      if (path.endsWith("/x-0")) {
        return (response) => {
          finishSlow = () => sendJson(response, 200, { ...wireProject(), _id: "x-0" });
        };
      }
      if (isDown) return (response) => void response.writeHead(429, { "retry-after": "120" }).end();
      if (seen.has(path)) return undefined;
      seen.add(path);
      return badProject;
    });
    const options = { timeoutSeconds: 60, username: newUser() };
    const [slow, ...others] = startReads([...Array(60).keys()], options);
    const outcomes = await Promise.all(others);
    assert.ok(outcomes.every((outcome) => outcome instanceof ProjectServiceError));
    isDown = false;
    assert.deepEqual(await Promise.all(startReads([100, 101, 102], options)), [true, true, true]);
    finishSlow();
    assert.equal(await slow, true);
  });

  for (const maxConcurrency of [16, 1]) {
    it(`all succeed but one if only one project fails, ${maxConcurrency} at the same time`, async () => {
      serve((path) => (path.endsWith("/x-0") ? badProject : undefined));
      const [failed, ...others] = await readAll(100, { maxConcurrency });
      assert.ok(failed instanceof ProjectServiceError);
      assert.deepEqual(new Set(others), new Set([true]));
    });
  }

  it("end at once when their program is stopped", async () => {
    serve(() => () => child.kill("SIGINT"));
    const script = `
      const { getProject } = require("pulumi-project-service");
      void getProject({ projectId: "p-1" });`;
    const child = spawn(process.execPath, ["-e", script], {
      cwd: repository,
      env: {
        ...process.env,
        PROJECT_SERVICE_BASE_URL: server.url,
        PROJECT_SERVICE_AUTH_URL: server.url,
        PROJECT_SERVICE_REALM: "r",
        PROJECT_SERVICE_CLIENT_ID: "c",
        PROJECT_SERVICE_USERNAME: "u",
        PROJECT_SERVICE_PASSWORD: "p",
        PROJECT_SERVICE_TIMEOUT_SECONDS: "600",
      },
    });
    const signal = await new Promise((resolve) => child.on("close", (_code, by) => resolve(by)));
    assert.equal(signal, "SIGINT");
  });
});
