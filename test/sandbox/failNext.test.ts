import assert from "node:assert/strict";
import { type Sandbox, type SandboxFailure, startSandbox } from "../../sandbox/index.js";
import { getProject, getProjects } from "../../sdk/index.js";

describe("failNext of the sandbox", () => {
  let sandbox: Sandbox;
  let opts: { connection: Sandbox["connection"] };
  beforeEach(async () => {
    sandbox = await startSandbox();
    opts = { connection: sandbox.connection };
  });
  afterEach(() => sandbox.close());

  const read = (projectId = "p-1") => getProject({ projectId }, opts);
  const pathOf = (projectId: string) => `/api/project/v5/projects/${projectId}`;
  const tokenPath = "/auth/realms/hosting/protocol/openid-connect/token";

  it("makes one request to the project API fail, also before the first sign-in, and a read survives it", async () => {
    sandbox.failNext({ status: 503 });
    assert.equal((await read()).name, "shop");
    const { passwordGrants, rejectedGrants, projectReads } = sandbox.counters;
    assert.deepEqual([passwordGrants, rejectedGrants, projectReads], [1, 0, 2]);
  });

  for (const [status, attempts, code] of [
    [408, 3, "TIMEOUT"],
    [500, 3, "SERVICE_UNAVAILABLE"],
    [502, 3, "SERVICE_UNAVAILABLE"],
    [503, 3, "SERVICE_UNAVAILABLE"],
    [504, 3, "SERVICE_UNAVAILABLE"],
    [401, 2, "TOKEN_REFUSED"],
    [403, 1, "FORBIDDEN"],
    [404, 1, "NOT_FOUND"],
    [501, 1, "SERVICE_UNAVAILABLE"],
  ] as const) {
    it(`makes a read fail with ${code} after ${attempts} failures with ${status}, and the next read succeeds`, async () => {
      sandbox.failNext({ status, times: attempts });
      await assert.rejects(read(), { code, status });
      assert.equal(sandbox.counters.projectReads, attempts);
      assert.equal((await read()).name, "shop");
      assert.equal(sandbox.counters.projectReads, attempts + 1);
    });
  }

  it("makes only requests with the path fail: a text is the whole path, a RegExp is searched in it", async () => {
    sandbox.failNext({ status: 403, path: pathOf("p-2") });
    sandbox.failNext({ status: 404, path: /\/p-3$/g, times: 2 });
    assert.equal((await read("p-1")).name, "shop");
    await assert.rejects(read("p-2"), { code: "FORBIDDEN" });
    await assert.rejects(read("p-3"), { code: "NOT_FOUND" });
    await assert.rejects(read("p-3"), { code: "NOT_FOUND" });
    assert.equal((await read("p-3")).name, "intranet");
  });

  it("knows the path of an id with other characters, encoded or not", async () => {
    sandbox.projects[0]!._id = "shop & co";
    for (const segment of ["shop & co", "shop%20%26%20co"]) {
      sandbox.failNext({ status: 403, path: pathOf(segment) });
      await assert.rejects(read("shop & co"), { code: "FORBIDDEN" });
    }
  });

  it("makes a request fail before the token is checked", async () => {
    sandbox.failNext({ status: 502 });
    const url = `${sandbox.connection.baseUrl}${pathOf("p-1")}`;
    assert.deepEqual([(await fetch(url)).status, (await fetch(url)).status], [502, 401]);
  });

  it("makes the list fail", async () => {
    sandbox.failNext({ status: 403, path: "/api/project/v5/projects" });
    await assert.rejects(getProjects({}, opts), { code: "FORBIDDEN" });
    assert.equal(sandbox.counters.lists, 1);
  });

  for (const [status, attempts, code] of [
    [503, 3, "LOGIN_UNAVAILABLE"],
    [429, 3, "LOGIN_UNAVAILABLE"],
    [500, 1, "LOGIN_UNAVAILABLE"],
    [403, 1, "LOGIN_RESPONSE_INVALID"],
  ] as const) {
    it(`with the path of the token endpoint, makes a sign-in fail with ${code} after ${attempts} failures with ${status}`, async () => {
      sandbox.failNext({ status, times: attempts, path: tokenPath });
      await assert.rejects(read(), { code, status });
      const { passwordGrants, rejectedGrants, projectReads } = sandbox.counters;
      assert.deepEqual([passwordGrants, rejectedGrants, projectReads], [attempts, attempts, 0]);
    });
  }

  it("gives a request the first failure that matches, in the order of the calls", async () => {
    sandbox.failNext({ status: 403, times: 2 });
    sandbox.failNext({ status: 404, path: pathOf("p-1") });
    for (const code of ["FORBIDDEN", "FORBIDDEN", "NOT_FOUND"]) {
      await assert.rejects(read(), { code });
    }
    assert.equal((await read()).name, "shop");
  });

  it("makes all requests fail with times: Infinity", async () => {
    sandbox.failNext({ status: 404, times: Infinity });
    for (const _ of [1, 2, 3]) await assert.rejects(read(), { code: "NOT_FOUND" });
  });

  const served = `"/api/project/v5/projects", "/api/project/v5/projects/{projectId}" or "${tokenPath}"`;
  for (const [failure, message] of [
    [undefined, "failNext needs an object, such as failNext({ status: 503 })."],
    [
      { status: 503, count: 2 },
      "failNext has no option count. Its options are status, times, path.",
    ],
    ...[{}, { status: 200 }, { status: 600 }, { status: "503" }].map(
      (wrong: { status?: unknown }) => [
        wrong,
        `status of failNext must be the status of an error, a whole number from 400 to 599, not ${wrong.status === "503" ? '"503"' : String(wrong.status)}.`,
      ],
    ),
    ...[0, -1, 1.5, NaN].map((times) => [
      { status: 503, times },
      `times of failNext must be a whole number from 1, or Infinity, not ${times}.`,
    ]),
    ...[
      "/projects",
      "/api/project/v5/projects/p-1?x",
      "/api/project/v5/projects/",
      "/api/project/v5/projects/a/b",
    ].map((path) => [
      { status: 503, path },
      `path of failNext must be ${served}, without a query, or a RegExp, not "${path}".`,
    ]),
  ] as [SandboxFailure, string][]) {
    it(`refuses ${JSON.stringify(failure)} ${failure?.times ?? ""}`, () => {
      assert.throws(() => sandbox.failNext(failure), { name: "TypeError", message });
    });
  }
});
