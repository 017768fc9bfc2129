import assert from "node:assert/strict";
import { type Sandbox, startSandbox } from "../support/testSandbox.js";
import { getProject } from "../../sdk/index.js";
import { fleet } from "../support/project.js";

const ids = (count: number) => Array.from({ length: count }, (_, n) => `x-${n + 1}`);

describe("many reads", () => {
  let sandbox: Sandbox | undefined;
  afterEach(() => sandbox?.close());

  it("have a timeout that does not include the wait for their turn", async () => {
    sandbox = await startSandbox({ projects: fleet(60) });
    sandbox.latencyMs = 100;
    const connection = { ...sandbox.connection, maxConcurrency: 1, timeoutSeconds: 5 };
    const startMs = performance.now();
    const reads = ids(60).map((projectId) => getProject({ projectId }, { connection }));
    assert.equal((await Promise.all(reads)).length, 60);
    assert.ok(performance.now() - startMs > 5_000, "the last read had to wait longer than 5 s");
    assert.equal(sandbox.counters.projectReads, 60);
  });

  it("get their token when it is their turn, not earlier", async () => {
    sandbox = await startSandbox({
      projects: fleet(100),
      tokenLifetimeSeconds: 2,
    });
    sandbox.latencyMs = 50;
    const connection = { ...sandbox.connection, maxConcurrency: 2 };
    const reads = ids(100).map((projectId) => getProject({ projectId }, { connection }));
    assert.equal((await Promise.all(reads)).length, 100);
    assert.equal(sandbox.counters.refusedTokens, 0);
    assert.ok(sandbox.counters.refreshGrants >= 1);
  });
});
