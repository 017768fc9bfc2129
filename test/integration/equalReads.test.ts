import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { type Sandbox, startSandbox } from "../support/testSandbox.js";
import { getEnvironment, getProject, getProjects } from "../../sdk/index.js";
import { failureOf } from "../support/failure.js";

describe("equal reads at the same time", () => {
  let sandbox: Sandbox;
  let opts: { connection: Sandbox["connection"] };
  const fifty = <T>(call: () => Promise<T>) => Promise.all(Array.from({ length: 50 }, call));
  beforeEach(async () => {
    sandbox = await startSandbox();
    sandbox.latencyMs = 10;
    opts = { connection: sandbox.connection };
  });
  afterEach(() => sandbox.close());

  it("send one request: 50 by id, and 50 by name with one list", async () => {
    await fifty(() => getProject({ projectId: "p-1" }, opts));
    assert.equal(sandbox.counters.projectReads, 1);
    await fifty(() => getProject({ name: "shop" }, opts));
    assert.deepEqual([sandbox.counters.projectReads, sandbox.counters.lists], [2, 1]);
  });

  it("do not share a request that was sent before they started", async () => {
    sandbox.latencyMs = 100;
    const early = getProject({ projectId: "p-1" }, opts);
    while (sandbox.counters.projectReads === 0) await new Promise(setImmediate);
    const late = getProject({ projectId: "p-1" }, opts);
    await Promise.all([early, late]);
    assert.equal(sandbox.counters.projectReads, 2);
  });

  it("share a request across functions, with and without credentials, when a token is there", async () => {
    await getProjects({}, opts);
    const [project, withoutCredentials, live] = await Promise.all([
      getProject({ projectId: "p-1" }, opts),
      getProject({ projectId: "p-1", includeCredentials: false }, opts),
      getEnvironment({ projectId: "p-1", environmentId: "live" }, opts),
    ]);
    assert.equal(sandbox.counters.projectReads, 1);
    const password = project.environments[0]?.databases[0]?.password;
    assert.ok(await pulumi.isSecret(password as pulumi.Output<string>));
    assert.ok(!("password" in (withoutCredentials.environments[0]?.databases[0] ?? {})));
    assert.equal(live.environmentId, "live");
  });

  it("return separate objects to each caller, also in fields of unknown shape", async () => {
    const [first] = sandbox.projects;
    if (first) first.projectEnvironments[0]!.projectEnvironmentCode.importBranchOrTag = { a: 1 };
    const [one, two] = await fifty(() => getProject({ projectId: "p-1" }, opts));
    (one?.environments[0]?.importBranchOrTag as { a: number }).a = 2;
    assert.deepEqual(two?.environments[0]?.importBranchOrTag, { a: 1 });
    const [list, other] = await fifty(() => getProjects({}, opts));
    (list?.projects[0] as { name: string }).name = "changed";
    list?.projects.pop();
    assert.deepEqual([other?.projects[0]?.name, other?.projects.length], ["shop", 12]);
  });

  it("fail together after one request", async () => {
    sandbox.forbiddenProjectIds.add("p-1");
    await fifty(() => failureOf(getProject({ projectId: "p-1" }, opts), "FORBIDDEN"));
    assert.equal(sandbox.counters.projectReads, 1);
  });
});
