import assert from "node:assert/strict";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { credentialsIn, LeakSearch, withoutPulumisOwn } from "../support/secrets.js";
import { type Project, useWorkbench, type Workbench } from "../support/workbench.js";
import { repository } from "../support/paths.js";

describe("the example consumer, with the real engine", () => {
  let workbench: Workbench;
  let sandbox: Sandbox;
  let pipeline: Project;
  let consumer: Project;
  before(async function () {
    workbench = await useWorkbench(this);
    sandbox = await startSandbox();
    pipeline = await workbench.project("hosting", {
      folder: join(repository, "examples/pipeline"),
    });
    await pipeline.configure(sandbox);
    await pipeline.stack.setConfig("project", { value: "shop" });
    await pipeline.stack.up(pipeline.listen);
    consumer = await workbench.project(
      "consumer",
      { folder: join(repository, "examples/consumer") },
      pipeline,
    );
    await consumer.stack.setAllConfig({
      hosting: { value: "organization/pipeline/test" },
      database: { value: "shop_live" },
    });
  });
  after(() => sandbox?.close());

  it("reads the outputs of the other stack, credentials as [secret] and other fields in plain text", async () => {
    await consumer.stack.up(consumer.listen);
    const { stdout } = await consumer.cli("stack", "output", "--json");
    assert.deepEqual(JSON.parse(stdout), {
      webroot: "/var/www/shop/live/current/public",
      tag: "v2.1.0",
      password: "[secret]",
    });
    const { databases } =
      sandbox.projects[0]?.projectEnvironments[0]?.projectEnvironmentDatabases ?? assert.fail();
    const database = databases.find(({ name }) => name === "shop_live");
    const shown = await consumer.cli("stack", "output", "password", "--show-secrets");
    assert.equal(shown.stdout.trim(), database?.password);
  });

  it("sends no requests to the service and needs no settings for it", async () => {
    const requests = { ...sandbox.counters };
    const { changeSummary } = await consumer.stack.preview(consumer.listen);
    assert.deepEqual(changeSummary, { same: 2 });
    assert.deepEqual(sandbox.counters, requests);
    assert.deepEqual(Object.keys(await consumer.stack.getAllConfig()).sort(), [
      "consumer:database",
      "consumer:hosting",
    ]);
  });

  it("leaves no credential in state, outputs and events", async () => {
    const search = new LeakSearch([
      sandbox.connection.password,
      ...sandbox.issuedTokens,
      ...credentialsIn(sandbox.projects),
    ]);
    const { stdout: state } = await consumer.cli("stack", "export");
    assert.match(state, /"ciphertext"/);
    search.text("the exported state", state);
    search.text("the outputs", (await consumer.cli("stack", "output", "--json")).stdout);
    search.text("the output of the engine", withoutPulumisOwn(consumer.heard()));
  });

  it("would get all fields as secrets if they shared one output with credentials", async () => {
    const program = (body: string) => ({
      program: `import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";
${body}`,
    });
    const together = await workbench.project(
      "together",
      program(`export const project = projectService.getProjectOutput({ name: "shop" });`),
      pipeline,
    );
    await together.configure(sandbox);
    await together.stack.up();
    const reader = await workbench.project(
      "reader",
      program(`const separate = new pulumi.StackReference("organization/pipeline/test");
const together = new pulumi.StackReference("organization/together/test");
const isSecret = (reference: pulumi.StackReference, name: string) =>
  reference.getOutputDetails(name).then(({ secretValue }) => secretValue !== undefined);
export const details = {
  environments: isSecret(separate, "environments"),
  credentials: isSecret(separate, "credentials"),
  project: isSecret(together, "project"),
};
export const domain = together.requireOutput("project").apply(({ domain }) => domain);
export const domainByAllOutputs = separate.outputs.apply(({ domain }) => domain);
`),
      pipeline,
    );
    await reader.stack.up();
    const { stdout } = await reader.cli("stack", "output", "--json");
    assert.deepEqual(JSON.parse(stdout), {
      details: { environments: false, credentials: true, project: true },
      domain: "[secret]",
      domainByAllOutputs: "[secret]",
    });
  });
});
