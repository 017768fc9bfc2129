import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { type Sandbox, sampleProjects, startSandbox } from "../../sandbox/index.js";
import {
  getEnvironment,
  getProject,
  getProjectOutput,
  pipelineOutputs,
  type PipelineOutputNames,
  type ReadOptions,
  readPipelineOutputs,
} from "../../sdk/index.js";
import { failureOf } from "../support/failure.js";
import { mappedProject } from "../support/project.js";
import { credentialsIn, LeakSearch } from "../support/leakSearch.js";
import { settled } from "../support/settled.js";

describe("pipelineOutputs", () => {
  let sandbox: Sandbox;
  let opts: ReadOptions;
  beforeEach(async () => {
    sandbox = await startSandbox({ projects: sampleProjects().slice(0, 2) });
    opts = { connection: sandbox.connection };
  });
  afterEach(() => sandbox.close());

  const shop = { name: "shop" } as const;

  /** Fails unless the outputs contain the project in clear and its credentials as one secret. */
  async function assertSeparated(outputs: {
    project: pulumi.Output<unknown>;
    credentials: pulumi.Output<unknown>;
  }): Promise<void> {
    const project = await settled(outputs.project);
    assert.equal(project.secret, false);
    const bare = await getProject({ ...shop, includeCredentials: false }, opts);
    assert.deepEqual(project.value, bare);
    const search = new LeakSearch(credentialsIn(sandbox.projects));
    search.text("the project", JSON.stringify(project.value));

    const credentials = await settled(outputs.credentials);
    assert.equal(credentials.secret, true);
    const { databases, importRepository } = credentials.value as {
      databases: Record<string, object[]>;
      importRepository: unknown;
    };
    const [wire] = sandbox.projects;
    assert.ok(wire);
    assert.deepEqual(importRepository, wire.codeRepository?.importRepository);
    assert.deepEqual(Object.keys(databases), ["live", "stage", "test"]);
    assert.deepEqual(
      databases["live"],
      wire.projectEnvironments[0]?.projectEnvironmentDatabases.databases
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ associationId, name, username, password }) => ({
          associationId,
          name,
          username,
          password,
        })),
    );
  }

  it("separates a result of the Promise form, of the Output form, and a Promise of one", async () => {
    await assertSeparated(pipelineOutputs(await getProject(shop, opts)));
    await assertSeparated(pipelineOutputs(getProjectOutput(shop, opts)));
    await assertSeparated(pipelineOutputs(getProject(shop, opts)));
  });

  it("has only fields that the schema describes, also in its lists and objects", async () => {
    const source = await getProject(shop, opts);
    const { codeRepository, environments } = source;
    const inside = environments.flatMap((each) => [
      ...[each.branch ?? {}, each.initialized],
      ...[each.databases, each.assetGroups, each.symLinks].flat(),
    ]);
    for (const part of [source, codeRepository, ...environments, ...inside]) {
      Object.assign(part, { besideIt: "of the program" });
    }
    await assertSeparated(pipelineOutputs(source));
  });

  it("gives the project in plain text even if the source is one secret", async () => {
    await assertSeparated(pipelineOutputs(pulumi.output(getProject(shop, opts))));
    const name = pulumi.secret("shop");
    await assertSeparated(pipelineOutputs(getProjectOutput({ name }, opts)));
  });

  it("has no credentials, and no secret without a value, with includeCredentials: false", async () => {
    const source = getProjectOutput({ ...shop, includeCredentials: false }, opts);
    const { project, credentials } = pipelineOutputs(source);
    assert.equal((await settled(project)).value.projectId, "p-1");
    assert.deepEqual(await settled(credentials), { value: undefined, secret: false });
  });

  it("has credentials without entries for a project that can have none", async () => {
    const [project] = sandbox.projects;
    project!.projectEnvironments = [];
    delete (project as { codeRepository?: unknown }).codeRepository;
    const { credentials } = pipelineOutputs(await getProject(shop, opts));
    assert.deepEqual((await settled(credentials)).value.databases, {});
  });

  for (const [what, source] of [
    ["an environment", () => getEnvironment({ ...shop, environmentId: "live" }, opts)],
    ["a list element", () => ({ projectId: "p-1", name: "shop" })],
    ["nothing", () => undefined],
  ] as const) {
    it(`refuses ${what}, given as it is or later`, async () => {
      const value = (await source()) as never;
      await failureOf(() => pipelineOutputs(value), "ARGUMENT_INVALID");
      const { project } = pipelineOutputs(Promise.resolve(value));
      await failureOf(settled(project), "ARGUMENT_INVALID");
    });
  }

  it("rejects with the error of the source", async () => {
    const { project } = pipelineOutputs(getProjectOutput({ name: "nope" }, opts));
    await failureOf(settled(project), "NOT_FOUND");
  });
});

describe("readPipelineOutputs", () => {
  const project = { ...mappedProject(), fieldOfLater: { a: 1 } };
  Object.assign(project.environments[0]!.databases[0]!, { fieldOfLater: 1 });
  const database = { associationId: 1, name: "shop_live", username: "u", password: "c4nary-pass" };
  const credentials = {
    projectId: "p-1",
    databases: { live: [database] },
    importRepository: null,
    fieldOfLater: 1,
  };

  /** The outputs that programs have requested. */
  const requested: string[] = [];
  beforeEach(() => requested.splice(0));

  /** Stands for a StackReference, which only the engine can read. */
  function stack(outputs: Record<string, unknown>, secretNames: string[]): pulumi.StackReference {
    return {
      name: pulumi.output("organization/hosting/dev"),
      getOutput: (name: string) => {
        requested.push(name);
        const output = pulumi.output(outputs[name]);
        return secretNames.includes(name) ? pulumi.secret(output) : output;
      },
    } as unknown as pulumi.StackReference;
  }

  it("gives the project as secret as it is exported, and the credentials always secret", async () => {
    const plain = readPipelineOutputs(stack({ project, credentials }, []));
    assert.deepEqual(await settled(plain.project), { value: project, secret: false });
    assert.deepEqual(await settled(plain.credentials), { value: credentials, secret: true });
    const secret = readPipelineOutputs(stack({ project, credentials }, ["project"]));
    assert.equal((await settled(secret.project)).secret, true);
  });

  it("reads outputs with other names", async () => {
    const names: PipelineOutputNames = { project: "shopProject", credentials: "shopCredentials" };
    const outputs = { shopProject: project, shopCredentials: credentials };
    const read = readPipelineOutputs(stack(outputs, []), names);
    assert.equal((await settled(read.project.name)).value, "shop");
    assert.equal((await settled(read.credentials)).value.databases["live"]?.[0]?.username, "u");
  });

  it("reads a stack without credentials if the program does not use them", async () => {
    const read = readPipelineOutputs(stack({ project }, []));
    await settled(read.project);
    assert.deepEqual(requested, ["project"]);
    const { message } = await failureOf(settled(read.credentials), "NOT_FOUND");
    assert.match(message, /no output credentials in the stack organization\/hosting\/dev\./);
  });

  it("says that Pulumi cannot decrypt the credentials, which it then replaces by {}", async () => {
    const read = readPipelineOutputs(stack({ project, credentials: {} }, []));
    const { message } = await failureOf(settled(read.credentials), "ARGUMENT_INVALID");
    assert.match(message, /^Pulumi cannot decrypt the credentials in the stack org.*PASSPHRASE/);
  });

  it("refuses the credentials of another project", async () => {
    const other = { ...credentials, projectId: "p-2" };
    const read = readPipelineOutputs(stack({ project, credentials: other }, []));
    const { message } = await failureOf(settled(read.credentials), "ARGUMENT_INVALID");
    assert.match(message, /: credentials and project belong to different projects\./);
  });

  const { symLinks: _, ...withoutSymLinks } = project.environments[0]!;
  for (const [what, key, value, place] of [
    [
      "an environment of another shape",
      "project",
      { ...project, environments: [withoutSymLinks] },
      "project.environments[0].symLinks is missing",
    ],
    [
      "a password of another type",
      "credentials",
      { ...credentials, databases: { live: [{ ...database, password: ["c4nary-pass"] }] } },
      "credentials.databases.live[0].password must be a string",
    ],
  ] as const) {
    it(`refuses ${what}, and names stack and place without a value`, async () => {
      const read = readPipelineOutputs(stack({ project, credentials, [key]: value }, []));
      const output: pulumi.Output<unknown> = read[key];
      const { message } = await failureOf(settled(output), "ARGUMENT_INVALID");
      const start = "The outputs of the stack organization/hosting/dev ";
      assert.ok(message.startsWith(start) && message.includes(`: ${place}. `), message);
      assert.ok(!message.includes("c4nary"), message);
    });
  }
});
