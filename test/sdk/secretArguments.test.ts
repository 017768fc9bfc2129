import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { type Sandbox, sandboxProject, startSandbox } from "../support/testSandbox.js";
import {
  getDatabaseOutput,
  getEnvironmentOutput,
  getProjectOutput,
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../../sdk/index.js";
import { LeakSearch } from "../support/leakSearch.js";
import { settled } from "../support/settled.js";

const name = "c4nary-name";
const projectId = "c4nary-id";
const environmentId = "c4nary-environment";
const databaseName = "c4nary-database";

describe("an error about secret arguments", () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startSandbox();
    const project = sandboxProject({
      name,
      _id: projectId,
      projectEnvironments: [{ environmentId }],
    });
    sandbox.projects = [project, ...sandbox.projects];
  });
  afterEach(() => sandbox.close());

  const other = (value: string) => `${value}-of-another`;
  const cases: readonly [string, ProjectServiceErrorCode, object, (() => unknown)?][] = [
    ["a project that does not exist", "NOT_FOUND", { projectId: other(projectId) }],
    ["a name that no project has", "NOT_FOUND", { name: other(name) }],
    [
      "a name that two projects have",
      "AMBIGUOUS_NAME",
      { name },
      () => sandbox.projects.push({ ...sandbox.projects[0]!, _id: "c4nary-other" }),
    ],
    ["no access", "FORBIDDEN", { projectId }, () => sandbox.forbiddenProjectIds.add(projectId)],
    ["an outage", "SERVICE_UNAVAILABLE", { projectId }, () => failReads(500)],
    ["an environment that does not exist", "NOT_FOUND", { name, environmentId: "c4nary-nowhere" }],
    [
      "a database that does not exist",
      "NOT_FOUND",
      { name, environmentId, databaseName: other(databaseName) },
    ],
  ];

  function failReads(status: number): void {
    sandbox.failNext({ status, times: Infinity, path: /projects\/./ });
  }
  for (const [title, code, args, change] of cases) {
    it(`does not contain them: ${title}`, async () => {
      change?.();
      const secret = Object.fromEntries(
        Object.entries(args).map(([key, value]) => [key, pulumi.secret(value)]),
      ) as never;
      const opts = { connection: sandbox.connection };
      const outputs: pulumi.Output<unknown>[] =
        "databaseName" in args
          ? [getDatabaseOutput(secret, opts)]
          : "environmentId" in args
            ? [getEnvironmentOutput(secret, opts)]
            : [getProjectOutput(secret, opts), getProjectOutput(secret, opts)];
      // A read of the same project whose error may contain everything.
      const { environmentId: _, databaseName: __, ...key } = args as Record<string, string>;
      const open = Promise.resolve()
        .then(() => settled(getProjectOutput(key as never, opts)))
        .catch(() => {});
      for (const output of outputs) {
        const error = await settled(output).then(
          () => assert.fail("it succeeded"),
          (thrown: unknown) => thrown,
        );
        assert.ok(error instanceof ProjectServiceError);
        assert.equal(error.code, code, error.message);
        new LeakSearch(["c4nary"]).error(title, error);
      }
      await open;
    });
  }

  it("contains arguments that are not secret", async () => {
    const missing = getProjectOutput({ name: other(name) }, { connection: sandbox.connection });
    await assert.rejects(settled(missing), { message: /named "c4nary-name-of-another"/ });
  });
});
