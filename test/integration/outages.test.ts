import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ServerResponse } from "node:http";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { getProject } from "../../sdk/index.js";
import { repository } from "../support/paths.js";
import { wireProject } from "../support/project.js";
import { type ScriptedServer, sendJson, startScriptedServer } from "../support/scriptedServer.js";

type Respond = (response: ServerResponse) => void;

const badProject: Respond = (response) => sendJson(response, 500, {});

const pause = (ms: number) =>
  new Promise<string>((resolve) => setTimeout(() => resolve("paused"), ms));

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
    const outcomes = await readAll(200, { timeoutSeconds: 4, maxConcurrency: 32 });
    assert.deepEqual(new Set(outcomes), new Set([true]));
    assert.equal(reads(), 400);
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
      // 16 reads, 15 in the place of those that failed, and calls that come later, with three attempts each.
      assert.ok(server.requests.length < 300, String(server.requests.length));
      assert.ok(seconds <= 10 * timeoutSeconds, `${seconds} s`);
    });
  }

  for (const [status, headers, code] of [
    [401, {}, "TOKEN_REFUSED"],
    [429, { "retry-after": "120" }, "RATE_LIMITED"],
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
      assert.ok(server.requests.length < 300, String(server.requests.length));
      assert.ok(signIns() < 100, String(signIns()));
    });
  }

  it("all succeed but the bad ones if two of 40 never get a response, two at the same time", async () => {
    serve((path) => (/-[01]$/.test(path) ? () => {} : undefined));
    const outcomes = await readAll(40, { timeoutSeconds: 2, maxConcurrency: 2 });
    assert.deepEqual(outcomes.slice(2), Array<boolean>(38).fill(true));
  });

  it("all succeed but the bad ones if seven in a row get 500, and eight run at the same time", async () => {
    serve((path) => (/-[0-6]$/.test(path) ? badProject : undefined));
    const outcomes = await readAll(40, { maxConcurrency: 8 });
    assert.deepEqual(outcomes.slice(7), Array<boolean>(33).fill(true));
  });

  it("start again after an outage", async () => {
    let isDown = true;
    serve(() => (isDown ? badProject : undefined));
    const options = { username: newUser() };
    const outcomes = await Promise.all(startReads([...Array(60).keys()], options));
    assert.ok(outcomes.every((outcome) => outcome instanceof ProjectServiceError));
    isDown = false;
    assert.deepEqual(await Promise.all(startReads([100, 101, 102], options)), [true, true, true]);
  });

  it("do not start before the time that a 429 asks for, and fail at once if that is too late", async () => {
    let retryAfter = "2";
    serve((path) =>
      path.endsWith("/x-0")
        ? (response) => void response.writeHead(429, { "retry-after": retryAfter }).end()
        : undefined,
    );
    const options = { username: newUser(), maxConcurrency: 1 };
    await Promise.all(startReads([1], options)); // so that there is a token
    const startMs = performance.now();
    const [limited, waiting] = startReads([0, 2], options);
    assert.equal(await Promise.race([limited, pause(1_000)]), "paused");
    retryAfter = "600";
    const outcomes = await Promise.all([limited, waiting, ...startReads([3], options)]);
    assert.ok(performance.now() - startMs < 20_000);
    for (const outcome of outcomes) {
      assert.ok(outcome instanceof ProjectServiceError);
      assert.equal(outcome.code, "RATE_LIMITED");
    }
    assert.deepEqual(
      server.requests.map(({ path }) => path.split("/").at(-1)),
      ["token", "x-1", "x-0", "x-0"],
    );
  });

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
