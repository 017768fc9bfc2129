import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { type Sandbox, sandboxProject, startSandbox } from "pulumi-project-service/sandbox";
import { AppSettings } from "./appSettings";
import { createdResources, mockPulumi, secretValue, valueOf } from "./pulumiMocks";

const args = { project: "shop", environmentId: "live", databaseHost: "db.example.com" };

describe("AppSettings", () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    await mockPulumi();
    sandbox = await startSandbox({ projects: [] });
    Object.assign(process.env, sandbox.envVars);
  });
  afterEach(async () => {
    await createdResources(); // A resource may still be reading the sandbox.
    await sandbox.close();
  });

  it("encodes the password in the URL of the database, and keeps the URL secret", async () => {
    const databases = [{ name: "orders", username: "reader", password: "p@ss/word" }];
    sandbox.projects.push(
      sandboxProject({
        name: "shop",
        projectEnvironments: [{ projectEnvironmentDatabases: { databases } }],
      }),
    );
    const settings = new AppSettings("app", args);
    const url = "mysql://reader:p%40ss%2Fword@db.example.com/orders";
    assert.equal(await valueOf(settings.databaseUrl), url);
    assert.equal(await pulumi.isSecret(settings.databaseUrl), true);

    const stash = (await createdResources()).find(({ type }) => type === "pulumi:index:Stash");
    assert.deepEqual(secretValue(stash?.inputs.input), {
      FOLDER: "/var/www/shop/live/current/public",
      DATABASE_URL: url,
    });
  });

  it("serves a placeholder until the first deployment", async () => {
    const projectEnvironments = [{ projectEnvironmentCode: { initialized: null } }];
    sandbox.projects.push(sandboxProject({ name: "shop", projectEnvironments }));
    const { folder } = new AppSettings("app", args);
    assert.equal(await valueOf(folder), "/var/www/placeholder");
  });

  it("records the project, and its credentials as one secret", async () => {
    sandbox.projects.push(sandboxProject({ name: "shop", domain: "shop.example.org" }));
    new AppSettings("app", args);
    const snapshot = (await createdResources()).find(({ name }) => name === "shop");
    assert.equal(snapshot?.type, "pulumi-nodejs:dynamic/project-service:ProjectSnapshot");
    assert.equal(snapshot.inputs.domain, "shop.example.org");
    secretValue(snapshot.inputs.credentials);
  });

  it("works although the service fails twice", async () => {
    sandbox.projects.push(sandboxProject({ name: "shop" }));
    sandbox.failNext({ status: 503, times: 2 });
    const { folder } = new AppSettings("app", args);
    assert.equal(await valueOf(folder), "/var/www/shop/live/current/public");
  });
});
