import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import {
  pipelineOutputs,
  type ProjectFieldKey,
  ProjectSnapshot,
  ProjectsSnapshot,
  type ProjectsSnapshotArgs,
} from "../../sdk/index.js";
import { failureOf } from "../support/failure.js";
import { settled } from "../support/settled.js";
import { sampleProjects, type Sandbox, startSandbox } from "../support/testSandbox.js";

describe("a ProjectsSnapshot with Pulumi's mocks", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startSandbox();
    Object.assign(process.env, sandbox.envVars);
  });
  after(async () => {
    for (const name of Object.keys(sandbox.envVars)) delete process.env[name];
    await sandbox.close();
  });

  /** Makes a snapshot. Returns its inputs, and the value of one of its outputs. */
  async function snapshot(
    key: "projects" | "credentials",
    args: ProjectsSnapshotArgs<boolean, readonly ProjectFieldKey[] | undefined> = {},
    stateOf = (inputs: object) => inputs,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    let sent = {};
    await pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => {
        sent = inputs as object;
        return { id: name, state: stateOf(sent) };
      },
      call: () => assert.fail(),
    });
    const output = new ProjectsSnapshot("fleet", args, opts)[key] as pulumi.Output<unknown>;
    const { promise } = output as unknown as { promise: () => Promise<Record<string, unknown>> };
    const value = await promise.call(output);
    return { sent, value, isSecret: await pulumi.isSecret(output) };
  }

  it("has objects, and sends texts in which nothing depends on the order of the service", async () => {
    const fields = { fields: ["status", "environments.databases.allowedIP"] } as const;
    const serve = (allowedIP: object) => {
      const [shop] = (sandbox.projects = sampleProjects().slice(0, 1));
      shop!.projectEnvironments.forEach((each, index) => (each.order = 2 - index));
      shop!.projectEnvironments[0]!.projectEnvironmentDatabases.databases[0]!.allowedIP = allowedIP;
    };
    serve({ a: 1, b: { c: 1, d: 1 } });
    const first = await snapshot("projects", { ...fields, includeCredentials: true });
    serve({ b: { d: 1, c: 1 }, a: 1 });
    sandbox.projects[0]!.projectEnvironments.reverse();
    const second = await snapshot("projects", { ...fields, includeCredentials: true });
    assert.deepEqual(second.sent, first.sent);
    const { project, environments } = (first.sent as { projects: Record<string, never> }).projects[
      "p-1"
    ] as unknown as { project: string; environments: Record<string, string> };
    assert.equal(
      project,
      '{"projectId":"p-1","name":"shop","status":"DEPLOYED","hasCode":true,"hasDatabases":true,"hasAssets":true,"missingFields":[]}',
    );
    assert.match(environments["live"]!, /"allowedIP":\{"a":1,"b":\{"c":1,"d":1\}\}/);

    const { "p-1": shop } = first.value as Record<
      string,
      { environments: { environmentId: string }[] }
    >;
    assert.deepEqual(
      shop?.environments.map(({ environmentId }) => environmentId),
      ["test", "stage", "live"],
    );
    assert.equal(first.isSecret, false);
    const credentials = await snapshot("credentials", { includeCredentials: true });
    assert.ok(credentials.isSecret);
    assert.deepEqual(Object.keys(credentials.value), ["p-1"]);
    assert.equal((await snapshot("credentials")).value, undefined);
  });

  for (const [what, key, state] of [
    ["fields of a project", "projects", { projects: { "p-1": { status: "UP" } } }],
    ["no JSON", "credentials", { credentials: "c4nary" }],
    ["an object", "credentials", { credentials: { "p-1": {} } }],
  ] as const) {
    it(`says what a mock must return, and quotes nothing: ${key} with ${what}`, () =>
      assert.rejects(
        snapshot(key, {}, () => state),
        /ARGUMENT_INVALID(?!.*c4nary).* In a test with mocks, return the inputs that newResource gets\./s,
      ));
  }

  it("accepts credentials of a ProjectSnapshot, and null as its options", async () => {
    await pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => ({ id: name, state: inputs as object }),
      call: () => assert.fail(),
    });
    const ignoreChanges = ["credentials"];
    const args = { name: "shop", fields: ["status"] } as const;
    for (const opts of [{ ignoreChanges }, null as never]) {
      const shop = new ProjectSnapshot("shop", args, opts);
      const { value } = await settled(pulumi.all([shop.status, shop.domain, shop.environments]));
      assert.deepEqual(value, [sandbox.projects[0]?.status, undefined, undefined]);
      await failureOf(() => pipelineOutputs(shop as never), "ARGUMENT_INVALID");
    }
  });

  it("ignores projects, environments and credentials", async () => {
    const seen = ["projects", 'projects["a.b"]', 'projects["p-1"].environments["live"]'];
    const ignoreChanges = [...seen, "credentials"];
    await snapshot("projects", {}, undefined, { ignoreChanges });
  });
});
