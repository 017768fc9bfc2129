import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { resolveConnection } from "../../sdk/reading/runRead.js";
import { failureOf } from "../support/failure.js";

const complete = {
  baseUrl: "https://config.example.com",
  authUrl: "https://login.example.com",
  realm: "hosting",
  clientId: "pulumi",
  username: "reader",
  password: "config-password",
};

function setConfig(namespace: string, values: Record<string, string>): void {
  const entries = Object.entries(values).map(([key, value]) => [`${namespace}:${key}`, value]);
  const secrets = [`${namespace}:password`];
  pulumi.runtime.setAllConfig(Object.fromEntries(entries) as Record<string, string>, secrets);
}

describe("the connection", () => {
  const before = { ...process.env };
  afterEach(() => {
    pulumi.runtime.setAllConfig({});
    for (const name of Object.keys(process.env)) {
      if (name.startsWith("PROJECT_SERVICE_")) delete process.env[name];
    }
    Object.assign(process.env, before);
  });

  it("takes nothing from config and variables if it is an object", async () => {
    setConfig("project-service", { ...complete, scope: "canary", timeoutSeconds: "3" });
    process.env["PROJECT_SERVICE_CLIENT_SECRET"] = "canary";
    process.env["PROJECT_SERVICE_MAX_CONCURRENCY"] = "3";
    const settings = resolveConnection({ ...complete, password: "own-password" });
    assert.doesNotMatch(JSON.stringify(settings), /canary|config-password|:3\b/);
    assert.equal(settings.clientSecret, undefined);
    const lacking = () => resolveConnection({ clientId: "c", password: undefined });
    const { message } = await failureOf(lacking, "SETTINGS_INVALID");
    assert.equal(message.match(/- connection\.\w+ is missing or undefined\./g)?.length, 5);
    assert.doesNotMatch(message, /canary|pulumi config set|PROJECT_SERVICE/);
  });

  it("may have Outputs and Promises, which count as present", async () => {
    const password = pulumi.secret("later");
    assert.ok(resolveConnection({ ...complete, username: Promise.resolve("later"), password }));
    const { message } = await failureOf(
      () => resolveConnection({ baseUrl: pulumi.output("https://own.example.com"), password }),
      "SETTINGS_INVALID",
    );
    assert.doesNotMatch(message, /baseUrl|password/);
  });

  it("is resolved anew if config or variables change", () => {
    setConfig("project-service", complete);
    const first = resolveConnection();
    setConfig("project-service", { ...complete, username: "other" });
    assert.equal(resolveConnection().username, "other");
    setConfig("second", { ...complete, username: "other" });
    assert.equal(resolveConnection("second").username, "other");
    setConfig("project-service", complete);
    assert.equal(JSON.stringify(resolveConnection()), JSON.stringify(first));
    process.env["PROJECT_SERVICE_CLIENT_SECRET"] = "s";
    assert.equal(resolveConnection().clientSecret, "s");
  });
});
