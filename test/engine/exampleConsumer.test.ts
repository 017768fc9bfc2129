import assert from "node:assert/strict";
import { programImports, useEngine } from "../support/engineTest.js";
import { assertHoldsNone } from "../support/leakSearch.js";
import type { Project } from "../support/workbench.js";

describe("the example consumer, with the real engine", () => {
  const engine = useEngine({ sandboxFor: "suite" });
  let pipeline: Project;
  let consumer: Project;
  before(async () => {
    pipeline = await engine.example("pipeline");
    await pipeline.configure(engine.sandbox);
    await pipeline.setConfig({ project: { value: "shop" } });
    await pipeline.succeed("up", "--yes", "--skip-preview");
    consumer = await engine.example("consumer", pipeline);
    await consumer.setConfig({
      hosting: { value: "organization/pipeline/test" },
      database: { value: "shop_live" },
    });
  });

  it("reads the outputs of the other stack, credentials as [secret] and other fields in plain text", async () => {
    const printed = await consumer.succeed("up", "--yes", "--skip-preview");
    assertHoldsNone("the output of the engine", printed, engine.secrets());
    const { stdout } = await consumer.cli("stack", "output", "--json");
    assert.deepEqual(JSON.parse(stdout), {
      webroot: "/var/www/shop/live/current/public",
      tag: "v2.1.0",
      password: "[secret]",
    });
    const { password } = await consumer.outputs();
    assert.equal(password, engine.liveDatabase().password);
  });

  it("sends no requests to the service and needs no settings for it", async () => {
    const requests = { ...engine.sandbox.counters };
    await consumer.succeed("preview", "--expect-no-changes");
    assert.deepEqual(engine.sandbox.counters, requests);
    const config = JSON.parse(await consumer.succeed("config", "--json")) as object;
    assert.deepEqual(Object.keys(config).sort(), ["consumer:database", "consumer:hosting"]);
  });

  it("leaves no credential in the state", async () => {
    const state = await consumer.state();
    assert.match(state, /"ciphertext"/);
    assertHoldsNone("the state", state, engine.secrets());
  });

  describe("another program that reads outputs", () => {
    let reader: Project;
    before(async () => {
      const others = await engine.workbench.project(
        "others",
        {
          program: `${programImports}
const first = new pulumi.Stash("first", { input: 1 });
// Unknown in the first preview.
const shop = projectService.getProjectOutput({ name: "shop" }, { dependsOn: [first] });
const blog = projectService.getProjectOutput({ name: "blog", includeCredentials: false });
export const { project: shopProject, credentials: shopCredentials } = projectService.pipelineOutputs(shop);
export const { project: blogProject, credentials: blogCredentials } = projectService.pipelineOutputs(blog);
export const project = shop;
export const credentials = { live: [{ password: pulumi.secret("c4nary-0f-another-shape") }] };
`,
        },
        pipeline,
      );
      await others.configure(engine.sandbox);
      await others.succeed("up", "--yes");
      reader = await engine.workbench.project(
        "reader",
        {
          program: `${programImports}
const hosting = new pulumi.StackReference("organization/pipeline/test");
const others = new pulumi.StackReference("organization/others/test");
const read = projectService.readPipelineOutputs;
const shop = read(others, { project: "shopProject", credentials: "shopCredentials" });
export const domain = read(hosting).project.domain;
export const shopTag = shop.project.environments[0].currentTag;
export const shopUser = shop.credentials.databases["live"]?.[0].username;
export const blogDomain = read(others, { project: "blogProject" }).project.domain;
// The result of getProject contains credentials.
export const domainOfResult = read(others).project.domain;
export const allOutputs = hosting.outputs.apply(({ project }) => project);
// Not exported, because the project was read without credentials.
export const blogCredentials = others.getOutput("blogCredentials");
if (new pulumi.Config().getBoolean("readsOther")) read(others).credentials;
`,
        },
        pipeline,
      );
    });

    it("gets two projects of one stack, and a project as a secret only if it was exported with credentials", async () => {
      await reader.succeed("up", "--yes", "--skip-preview");
      const { stdout } = await reader.cli("stack", "output", "--json");
      assert.deepEqual(JSON.parse(stdout), {
        domain: "shop.example.com",
        shopTag: "v2.1.0",
        shopUser: "[secret]",
        blogDomain: "blog.example.com",
        domainOfResult: "[secret]",
        allOutputs: "[secret]",
      });
    });

    it("ends with a ProjectServiceError and without a credential if an output has another shape", async () => {
      const { code, stdout, stderr } = await reader.cli("preview", "--config", "readsOther=true");
      assert.notEqual(code, 0);
      const message =
        "ProjectServiceError [ARGUMENT_INVALID]: The output credentials in the stack organization/others/test does not have the shape that pipelineOutputs exports as credentials: projectId is missing.";
      assert.ok((stdout + stderr).includes(message), stdout + stderr);
      const secrets = ["c4nary-0f-another-shape", ...engine.secrets()];
      assertHoldsNone("the output", stdout + stderr, secrets);
    });
  });
});
