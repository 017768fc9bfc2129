import assert from "node:assert/strict";
import { readStackOutputs } from "../../../command/env/stackOutputs.js";
import { variablesOf } from "../../../command/env/variables.js";
import { type Sandbox, sampleProjects, startSandbox } from "../../../sandbox/index.js";
import { failureOf } from "../../support/failure.js";
import { stackOutputsOf } from "../../support/stackOutputs.js";

describe("the variables of pulumi-project-service env", () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startSandbox({ projects: sampleProjects().slice(0, 1) });
  });
  afterEach(() => sandbox.close());

  async function variables(credentials: boolean, prefix = "PROJECT_") {
    const json = Buffer.from(await stackOutputsOf(sandbox, "shop"));
    const outputs = readStackOutputs(json, {
      environmentId: "live",
      credentials,
      projectOutput: "project",
      credentialsOutput: "credentials",
    });
    return variablesOf(outputs, prefix);
  }

  const live = () => sandbox.projects[0]!.projectEnvironments[0]!;
  const databases = () => live().projectEnvironmentDatabases.databases;

  it("have the path of the field as their name, and are not secret without credentials", async () => {
    const found = await variables(false);
    assert.deepEqual(Object.fromEntries(found.map(({ name, value }) => [name, value])), {
      PROJECT_PROJECT_ID: "p-1",
      PROJECT_NAME: "shop",
      PROJECT_TYPE: "MAGENTO",
      PROJECT_STATUS: "DEPLOYED",
      PROJECT_DOMAIN: "shop.example.com",
      PROJECT_CODE_REPOSITORY_GIT_HOST: "git.example.com",
      PROJECT_CODE_REPOSITORY_GROUP: "retail",
      PROJECT_CODE_REPOSITORY_NAME: "shop",
      PROJECT_CODE_REPOSITORY_SSH_REPO_URL: "git@git.example.com:retail/shop.git",
      PROJECT_ENVIRONMENT_ID: "live",
      PROJECT_BRANCH_NAME: "main",
      PROJECT_BRANCH_GUARDED: true,
      PROJECT_CURRENT_TAG: "v2.1.0",
      PROJECT_WEBROOT: "/var/www/shop/live/current/public",
      PROJECT_WEB_SERVER: "APACHE",
      PROJECT_DEPLOYMENTS_TO_KEEP: 5,
      PROJECT_DEPLOYMENT_TARGET_GROUP_IDS_CODE:
        live().projectEnvironmentCode.deploymentTargetGroupId,
      PROJECT_DEPLOYMENT_TARGET_GROUP_IDS_ASSETS:
        live().projectEnvironmentAssets.deploymentTargetGroupId,
      PROJECT_DEPLOYMENT_TARGET_GROUP_IDS_DATABASES:
        live().projectEnvironmentDatabases.deploymentTargetGroupId,
    });
    assert.ok(found.every(({ secret }) => !secret));
    assert.ok(found.length <= 20, "GitLab accepts 20 by default");
  });

  it("of credentials stand under the name of their database, and are secret", async () => {
    databases()[0]!.name = "shop-größe";
    sandbox.projects[0]!.codeRepository.importRepository = { url: "u", auth: ["t", 7, null] };
    const found = (await variables(true, "SHOP_")).slice(19);
    const shown = found.map(({ name, secret }) => (secret ? `${name} secret` : name));
    assert.deepEqual(shown, [
      "SHOP_DATABASES_SHOP_GR_E_NAME",
      "SHOP_DATABASES_SHOP_GR_E_USERNAME secret",
      "SHOP_DATABASES_SHOP_GR_E_PASSWORD secret",
      "SHOP_DATABASES_SHOP_SEARCH_LIVE_NAME",
      "SHOP_DATABASES_SHOP_SEARCH_LIVE_USERNAME secret",
      "SHOP_DATABASES_SHOP_SEARCH_LIVE_PASSWORD secret",
      "SHOP_CODE_REPOSITORY_IMPORT_REPOSITORY_URL secret",
      "SHOP_CODE_REPOSITORY_IMPORT_REPOSITORY_AUTH_0 secret",
      "SHOP_CODE_REPOSITORY_IMPORT_REPOSITORY_AUTH_1 secret",
    ]);
    assert.deepEqual(
      found.slice(0, 3).map(({ value }) => value),
      [databases()[0]!.name, databases()[0]!.username, databases()[0]!.password],
    );
  });

  it("leave out fields that the service omits", async () => {
    delete (live().projectEnvironmentCode as { branch?: unknown }).branch;
    const names = (await variables(false)).map(({ name }) => name);
    assert.ok(names.includes("PROJECT_WEBROOT") && !names.includes("PROJECT_BRANCH_NAME"));
  });

  it("refuse two equal names", async () => {
    databases()[0]!.name = "shop.x";
    databases()[1]!.name = "shop_x";
    const { message } = await failureOf(variables(true), "ARGUMENT_INVALID");
    assert.match(
      message,
      /^Two values would both be the variable PROJECT_DATABASES_SHOP_X_NAME\. Take them from/,
    );
  });

  it("refuse a value that Pulumi hides, with the option that shows it", async () => {
    live().projectEnvironmentCode.webroot = "[secret]";
    const { message } = await failureOf(variables(false), "ARGUMENT_INVALID");
    assert.match(message, /^The value of PROJECT_WEBROOT .* hidden: .*--show-secrets/);
  });
});
