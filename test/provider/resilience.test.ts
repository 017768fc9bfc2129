import assert from "node:assert/strict";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { getProject } from "../../sdk/index.js";
import { sendJson, startScriptedServer } from "../support/scriptedServer.js";
import { wireProject } from "../support/project.js";

const ids = (count: number) => Array.from({ length: count }, (_, n) => `p-${(n % 12) + 1}`);

describe("many reads", () => {
  let sandbox: Sandbox | undefined;
  afterEach(() => sandbox?.close());

  it("do not count the time in which they wait for their turn", async () => {
    sandbox = await startSandbox();
    sandbox.latencyMs = 100;
    const connection = { ...sandbox.connection, maxConcurrency: 2, timeoutSeconds: 0.5 };
    const reads = ids(20).map((projectId) => getProject({ projectId }, { connection }));
    assert.equal((await Promise.all(reads)).length, 20);
    assert.equal(sandbox.counters.projectReads, 20);
  });

  it("take their token when it is their turn", async () => {
    sandbox = await startSandbox({ tokenLifetimeSeconds: 1, refreshTokenLifetimeSeconds: 1 });
    sandbox.latencyMs = 50;
    const connection = { ...sandbox.connection, maxConcurrency: 2 };
    const reads = ids(60).map((projectId) => getProject({ projectId }, { connection }));
    assert.equal((await Promise.all(reads)).length, 60);
    assert.equal(sandbox.counters.refusedTokens, 0);
  });

  it("are answered after one renewal when the token is revoked under way", async () => {
    sandbox = await startSandbox();
    const { connection } = sandbox;
    await getProject({ projectId: "p-1" }, { connection });
    sandbox.revokeAccessTokens();
    const reads = ids(100).map((projectId) => getProject({ projectId }, { connection }));
    assert.equal((await Promise.all(reads)).length, 100);
    assert.deepEqual([sandbox.counters.passwordGrants, sandbox.counters.refreshGrants], [1, 1]);
  });

  it("are all correct on a server that fails each first attempt", async () => {
    const server = await startScriptedServer();
    const seen = new Set<string>();
    let failures = 0;
    server.answer = (request, response) => {
      const path = request.url ?? "";
      if (path.startsWith("/auth/")) return sendJson(response, 200, { access_token: "t" });
      if (!seen.has(path)) {
        seen.add(path);
        switch (failures++ % 3) {
          case 0:
            return sendJson(response, 503, {});
          case 1:
            return void request.socket.destroy();
          default:
            return; // never answers: the deadline ends it
        }
      }
      const _id = decodeURIComponent(path.split("/").at(-1) as string);
      sendJson(response, 200, { ...wireProject(), _id });
    };
    const connection = {
      baseUrl: server.url,
      authUrl: server.url,
      realm: "r",
      clientId: "c",
      username: "u",
      password: "p",
      timeoutSeconds: 0.3,
    };
    const wanted = Array.from({ length: 200 }, (_, n) => `x-${n}`);
    const projects = await Promise.all(
      wanted.map((projectId) => getProject({ projectId }, { connection })),
    );
    assert.deepEqual(
      projects.map(({ projectId }) => projectId),
      wanted,
    );
    assert.equal(failures, 200);
  }).timeout(30_000);
});
