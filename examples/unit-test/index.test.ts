import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { type Sandbox, sandboxProject, startSandbox } from "pulumi-project-service/sandbox";
import { createdResources, mockPulumi, valueOf } from "./pulumiMocks";

describe("the program", () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    await mockPulumi();
    sandbox = await startSandbox({ projects: [sandboxProject({ name: "shop" })] });
    Object.assign(process.env, sandbox.envVars);
    pulumi.runtime.setAllConfig({ "unit-test:project": "shop" });
  });
  afterEach(async () => {
    await createdResources(); // A resource may still be reading the sandbox.
    await sandbox.close();
  });

  it("exports the folder in plain text, and the URL of the database as a secret", async () => {
    const { folder, databaseUrl } = await import("./index.js");
    assert.equal(await valueOf(folder), "/var/www/shop/live/current/public");
    assert.equal(await pulumi.isSecret(folder), false);
    assert.match(await valueOf(databaseUrl), /^mysql:\/\/.*@localhost\/shop_live$/);
    assert.equal(await pulumi.isSecret(databaseUrl), true);
  });
});
