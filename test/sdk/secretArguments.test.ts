import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { useFastClock } from "../support/clock.js";
import { type Sandbox, sandboxProject, startSandbox } from "../support/testSandbox.js";
import {
  getDatabaseOutput,
  getProjectOutput,
  getProjectsOutput,
  type ProjectServiceErrorCode,
} from "../../sdk/index.js";
import { failureOf } from "../support/failure.js";
import { LeakSearch } from "../support/leakSearch.js";
import { settled } from "../support/settled.js";

const projectId = "c4nary-id";
const environmentId = "c4nary-environment";

/* integration/messages.txt has the errors about names and ids that do not exist. */
describe("an error about secret arguments", () => {
  useFastClock();
  let sandbox: Sandbox;
  beforeEach(async () => {
    const project = sandboxProject({
      name: "s",
      _id: projectId,
      projectEnvironments: [{ environmentId }],
    });
    sandbox = await startSandbox({ projects: [project] });
  });
  afterEach(() => sandbox.close());

  const cases: readonly [string, ProjectServiceErrorCode, () => unknown][] = [
    ["no access", "FORBIDDEN", () => sandbox.forbiddenProjectIds.add(projectId)],
    [
      "an outage",
      "SERVICE_UNAVAILABLE",
      () => sandbox.failNext({ status: 500, times: Infinity, path: /projects\/./ }),
    ],
  ];
  for (const [title, code, change] of cases) {
    it(`does not contain them after ${title}, also if another call reads the project`, async () => {
      change();
      const opts = { connection: sandbox.connection };
      const secret = pulumi.secret(projectId);
      const outputs: pulumi.Output<unknown>[] = [
        getProjectOutput({ projectId: secret }, opts),
        getDatabaseOutput({ projectId: secret, environmentId: pulumi.secret("x") }, opts),
        getProjectsOutput(
          { details: true, filters: [{ key: "projectId", values: [secret] }] },
          opts,
        ),
      ];
      const open = failureOf(settled(getProjectOutput({ projectId }, opts)), code);
      const failures = outputs.map((output) => failureOf(settled(output), code));
      for (const error of await Promise.all(failures)) {
        new LeakSearch(["c4nary"]).error(title, error);
      }
      assert.match((await open).message, /c4nary-id/);
    });
  }

  it("does not reach a call without secrets that waits behind ten that fail", async () => {
    sandbox.failNext({ status: 503, times: Infinity, path: /projects\/./ });
    const opts = { connection: { ...sandbox.connection, maxConcurrency: 1 } };
    const [first, ...others] = [...Array(10).keys()].map((number) => {
      const secret = pulumi.secret(`${projectId}-${number}`);
      return failureOf(
        settled(getProjectOutput({ projectId: secret }, opts)),
        "SERVICE_UNAVAILABLE",
      );
    });
    const failed = (await first)!;
    assert.equal(
      failed.message,
      "getProject failed (SERVICE_UNAVAILABLE, 503). An argument is secret, so no more is shown.",
    );
    assert.equal(failed.status, 503);
    const plain = settled(getProjectOutput({ projectId: "plain" }, opts));
    const waiting = await failureOf(plain, "SERVICE_UNAVAILABLE");
    assert.equal(
      waiting.message,
      "This read was not sent, because earlier reads failed (SERVICE_UNAVAILABLE, 503).",
    );
    const search = new LeakSearch(["c4nary"]);
    for (const error of [failed, waiting, ...(await Promise.all(others))]) {
      search.error("the error", error);
    }
  });
});
