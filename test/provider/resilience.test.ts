import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ProjectServiceError } from "../../provider/errors.js";
import { connect } from "../../provider/projectService.js";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { getProject } from "../../sdk/index.js";
import { fleet } from "../support/fleet.js";
import { wireProject } from "../support/project.js";
import { type ScriptedServer, sendJson, startScriptedServer } from "../support/scriptedServer.js";
import { settingsOf } from "../support/settings.js";

const ids = (count: number) => Array.from({ length: count }, (_, n) => `x-${n + 1}`);

describe("many reads", () => {
  let sandbox: Sandbox | undefined;
  afterEach(() => sandbox?.close());

  it("do not count the time in which they wait for their turn", async () => {
    sandbox = await startSandbox({ projects: fleet(25) });
    sandbox.latencyMs = 100;
    const connection = { ...sandbox.connection, maxConcurrency: 1, timeoutSeconds: 2 };
    const reads = ids(25).map((projectId) => getProject({ projectId }, { connection }));
    assert.equal((await Promise.all(reads)).length, 25);
    assert.equal(sandbox.counters.projectReads, 25);
  });

  it("take their token when it is their turn", async () => {
    sandbox = await startSandbox({
      projects: fleet(100),
      tokenLifetimeSeconds: 2,
      refreshTokenLifetimeSeconds: 2,
    });
    sandbox.latencyMs = 50;
    const connection = { ...sandbox.connection, maxConcurrency: 2 };
    const reads = ids(100).map((projectId) => getProject({ projectId }, { connection }));
    assert.equal((await Promise.all(reads)).length, 100);
    assert.equal(sandbox.counters.refusedTokens, 0);
    assert.ok(sandbox.counters.refreshGrants >= 1);
  });

  it("are answered after one renewal when the token is revoked under way", async () => {
    sandbox = await startSandbox({ projects: fleet(100) });
    const { connection } = sandbox;
    await getProject({ projectId: "x-1" }, { connection });
    sandbox.revokeAccessTokens();
    const reads = ids(100).map((projectId) => getProject({ projectId }, { connection }));
    assert.equal((await Promise.all(reads)).length, 100);
    assert.deepEqual([sandbox.counters.passwordGrants, sandbox.counters.refreshGrants], [1, 1]);
  });

  it("outlast their tokens: renewed in time, no read fails, one password grant", async () => {
    sandbox = await startSandbox({
      projects: fleet(200),
      tokenLifetimeSeconds: 2,
      refreshTokenLifetimeSeconds: 2,
    });
    const { connection } = sandbox;
    const reads = ids(200).map(async (projectId, index) => {
      await sleep(index * 50);
      return getProject({ projectId }, { connection });
    });
    assert.equal((await Promise.all(reads)).length, 200);
    const { passwordGrants, refreshGrants, refusedTokens, rejectedGrants } = sandbox.counters;
    assert.deepEqual([passwordGrants, refusedTokens, rejectedGrants], [1, 0, 0]);
    assert.ok(refreshGrants >= 4, String(refreshGrants));
  });

  describe("from a server that fails", () => {
    let server: ScriptedServer;
    let run = 0;
    before(async () => {
      server = await startScriptedServer();
    });

    /** Answers soundly, except where `fail` answers in its place. */
    function serve(
      fail: (path: string, request: number) => ((response: ServerResponse) => void) | undefined,
    ) {
      let requests = 0;
      server.requests.length = 0;
      server.answer = (request, response) => {
        const path = request.url ?? "";
        if (path.startsWith("/auth/")) return sendJson(response, 200, { access_token: "t" });
        const failure = fail(path, requests++);
        if (failure !== undefined) return failure(response);
        sendJson(response, 200, { ...wireProject(), _id: path.split("/").at(-1) });
      };
    }

    function readAll(count: number, timeoutSeconds = 10, maxConcurrency = 16) {
      const connection = {
        baseUrl: server.url,
        authUrl: server.url,
        realm: "r",
        clientId: "c",
        username: `user-${++run}`,
        password: "p",
        timeoutSeconds,
        maxConcurrency,
      };
      const wanted = Array.from({ length: count }, (_, n) => `x-${n}`);
      return Promise.all(
        wanted.map((projectId) =>
          getProject({ projectId }, { connection }).then(
            (project) => project.projectId === projectId,
            (error: unknown) => error,
          ),
        ),
      );
    }
    const reads = () => server.requests.filter(({ path }) => path.includes("/projects/")).length;

    it("each first attempt (503, reset and no answer by turns) are all correct", async () => {
      const seen = new Set<string>();
      serve((path) => {
        if (seen.has(path)) return undefined;
        seen.add(path);
        return [
          (response: ServerResponse) => sendJson(response, 503, {}),
          (response: ServerResponse) => void response.socket?.destroy(),
          () => {}, // the deadline ends it
        ][seen.size % 3];
      });
      assert.deepEqual(new Set(await readAll(200, 1.5)), new Set([true]));
      assert.equal(reads(), 400);
    });

    it("5 % of all requests, by chance, are all correct", async () => {
      // By a hash of project and attempt, so that each run is the same; at this rate one read in
      // 8,000 would fail three times, and with it one run in eight.
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

    for (const [what, fail, code] of [
      [
        "every request",
        (response: ServerResponse) => sendJson(response, 503, {}),
        "SERVICE_UNAVAILABLE",
      ],
      ["to answer at all", () => {}, "TIMEOUT"],
    ] as const) {
      it(`${what} end with one clear error, after few more requests`, async () => {
        serve(() => fail);
        const outcomes = await readAll(1_000, 0.5);
        for (const outcome of outcomes) {
          assert.ok(outcome instanceof ProjectServiceError);
          assert.equal(outcome.code, code);
        }
        // The first failure may be one project's: another read is begun in its place.
        assert.ok(new Set(outcomes).size <= 16 + 1 + 1, "those that waited share the error");
        assert.ok(reads() <= 16 + 1 + 35, String(reads()));
      });
    }

    for (const [status, headers, code] of [
      [401, {}, "TOKEN_REFUSED"],
      [429, { "retry-after": "120" }, "RATE_LIMITED"],
      [429, {}, "RATE_LIMITED"],
      [503, {}, "SERVICE_UNAVAILABLE"],
    ] as const) {
      const what = `${status}${"retry-after" in headers ? " with a Retry-After of two minutes" : ""}`;
      it(`with ${what} always end 500 reads after few requests and sign-ins`, async () => {
        serve(() => (response) => void response.writeHead(status, headers).end());
        const outcomes = await readAll(500);
        for (const outcome of outcomes) {
          assert.ok(outcome instanceof ProjectServiceError);
          assert.equal(outcome.code, code);
        }
        const signIns = server.requests.length - reads();
        console.log(`      ${status}: ${reads()} requests, ${signIns} sign-ins`);
        assert.ok(reads() <= 60, String(reads()));
        assert.ok(signIns <= 20, String(signIns));
      });
    }

    for (const maxConcurrency of [16, 1]) {
      it(`for one project only do not give up the others, ${maxConcurrency} at a time`, async () => {
        serve((path) =>
          path.endsWith("/x-0") ? (response) => sendJson(response, 500, {}) : undefined,
        );
        const [broken, ...others] = await readAll(100, 10, maxConcurrency);
        assert.ok(broken instanceof ProjectServiceError);
        assert.deepEqual(new Set(others), new Set([true]));
      });
    }

    it("end at once when their program is stopped", async () => {
      serve(() => () => child.kill("SIGINT"));
      const script = `
        const { getProject } = require("pulumi-project-service");
        void getProject({ projectId: "p-1" });`;
      const child = spawn(process.execPath, ["-e", script], {
        cwd: join(__dirname, "../../.."),
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
});

describe("services in one process", () => {
  const settings = (username: string) =>
    settingsOf({
      baseUrl: "https://projects.example.com",
      authUrl: "https://login.example.com",
      realm: "r",
      clientId: "c",
      username,
      password: "p",
    });

  it("are shared by equal settings, kept apart by others, and forgotten after 32 others", () => {
    const onWait = () => {};
    const connected = (username: string) => connect(settings(username), onWait);
    const service = connected("first");
    assert.equal(connected("first"), service);
    for (let other = 0; other < 31; other++) assert.notEqual(connected(`other-${other}`), service);
    assert.equal(connected("first"), service);
    for (let other = 0; other < 32; other++) connected(`another-${other}`);
    assert.notEqual(connected("first"), service);
  });

  it("tell each listener of the waits of its own calls", () => {
    const onWait = () => {};
    assert.notEqual(
      connect(settings("first"), onWait),
      connect(settings("first"), () => {}),
    );
  });
});
