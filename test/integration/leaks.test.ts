import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { startSandbox } from "../support/testSandbox.js";
import type { ManyCallsReport } from "../support/manyCalls.js";
import { compiled } from "../support/paths.js";

const calls = 5_000;
const maxConcurrency = 16;

describe(`${calls} calls in one process`, function () {
  this.timeout(120_000);

  let report: ManyCallsReport;
  let exitCode: number | null;

  before(async () => {
    const sandbox = await startSandbox();
    sandbox.forbiddenProjectIds.add("p-12");
    const child = fork(compiled("test/support/manyCalls.ts"), {
      env: {
        ...process.env,
        ...sandbox.environment,
        PROJECT_SERVICE_MAX_CONCURRENCY: String(maxConcurrency),
        MANY_CALLS: String(calls),
      },
    });
    child.on("message", (message) => {
      if (message === "done") void sandbox.close();
      else report = message as ManyCallsReport;
    });
    [exitCode] = (await once(child, "exit")) as [number | null];
    await sandbox.close();
  });

  it("have the expected results and errors", () => {
    const each = calls / 10;
    assert.deepEqual(report.outcomes, { ok: 7 * each, NOT_FOUND: 2 * each, FORBIDDEN: each });
  });

  it("leave no timer, no socket in use and nothing else that keeps the process alive", () => {
    assert.deepEqual(report.after.active, report.before.active);
    assert.equal(exitCode, 0);
  });

  it("leave no more idle connections than allowed, and none after the service has stopped", () => {
    assert.ok(report.after.sockets <= maxConcurrency, `${report.after.sockets} left`);
    assert.equal(report.afterClose.sockets, 0);
    assert.deepEqual(report.afterClose.active, report.before.active);
  });

  it("leave no listener, no warning and no unhandled rejection", () => {
    assert.deepEqual(report.after.listeners, report.before.listeners);
    assert.deepEqual(report.incidents, []);
  });
});
