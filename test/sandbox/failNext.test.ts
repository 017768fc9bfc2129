import assert from "node:assert/strict";
import { type Sandbox, type SandboxFailure, startSandbox } from "../../sandbox/index.js";
import { getProject, getProjects } from "../../sdk/index.js";
import { useFastClock } from "../support/clock.js";

describe("failNext of the sandbox", () => {
  useFastClock();
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

  it("makes a read fail after as many failures as it has attempts, and the next read succeeds", async () => {
    sandbox.failNext({ status: 503, times: 5 });
    await assert.rejects(read(), { code: "SERVICE_UNAVAILABLE", status: 503 });
    assert.equal(sandbox.counters.projectReads, 5);
    assert.equal((await read()).name, "shop");
  });

  it("makes only requests with the path fail: a text is the whole path, a RegExp is searched in it", async () => {
    sandbox.projects[1]!._id = "blog & co";
    sandbox.failNext({ status: 403, path: pathOf("blog & co") });
    sandbox.failNext({ status: 404, path: /\/p-3$/g, times: 2 });
    assert.equal((await read("p-1")).name, "shop");
    await assert.rejects(read("blog & co"), { code: "FORBIDDEN" });
    await assert.rejects(read("p-3"), { code: "NOT_FOUND" });
    await assert.rejects(read("p-3"), { code: "NOT_FOUND" });
    assert.equal((await read("p-3")).name, "intranet");
  });

  it("makes the list and a sign-in fail", async () => {
    sandbox.failNext({ status: 403, path: "/api/project/v5/projects" });
    await assert.rejects(getProjects({}, opts), { code: "FORBIDDEN" });
    assert.equal(sandbox.counters.lists, 1);
    const other = await startSandbox();
    other.failNext({ status: 500, path: tokenPath });
    await assert.rejects(getProjects({}, { connection: other.connection }), {
      code: "LOGIN_UNAVAILABLE",
    });
    assert.equal(other.counters.rejectedGrants, 1);
    await other.close();
  });

  it("gives a request the first failure that matches, in the order of the calls", async () => {
    sandbox.failNext({ status: 403, times: 2 });
    sandbox.failNext({ status: 404, path: pathOf("p-1"), times: Infinity });
    for (const code of ["FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "NOT_FOUND"]) {
      await assert.rejects(read(), { code });
    }
  });

  for (const [failure, message] of [
    [{ status: 200 }, /^status of failNext .* 400 to 599/],
    [{ status: 503, times: 0 }, /^times of failNext .* at least 1/],
    [{ status: 503, path: "/projects" }, /^path of failNext .*"\/api\/project\/v5\/projects"/],
    [{ status: 503, path: pathOf("p-1?x") }, /^path of failNext /],
  ] as [SandboxFailure, RegExp][]) {
    it(`refuses ${JSON.stringify(failure)}`, () => {
      assert.throws(() => sandbox.failNext(failure), { name: "TypeError", message });
    });
  }
});
