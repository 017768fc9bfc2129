import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { resolveConnection } from "../../sdk/config.js";
import { failureOf } from "../support/failure.js";

const names = {
  baseUrl: "PROJECT_SERVICE_BASE_URL",
  authUrl: "PROJECT_SERVICE_AUTH_URL",
  realm: "PROJECT_SERVICE_REALM",
  clientId: "PROJECT_SERVICE_CLIENT_ID",
  username: "PROJECT_SERVICE_USERNAME",
  password: "PROJECT_SERVICE_PASSWORD",
  timeoutSeconds: "PROJECT_SERVICE_TIMEOUT_SECONDS",
} as const;

const complete = {
  baseUrl: "https://config.example.com",
  authUrl: "https://login.example.com",
  realm: "hosting",
  clientId: "pulumi",
  username: "reader",
  password: "config-password",
};

function setConfig(namespace: string, values: Record<string, string>): void {
  pulumi.runtime.setAllConfig(
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [`${namespace}:${key}`, value]),
    ),
    [`${namespace}:password`],
  );
}

describe("the connection", () => {
  const before = { ...process.env };
  afterEach(() => {
    pulumi.runtime.setAllConfig({});
    for (const name of Object.values(names)) delete process.env[name];
    Object.assign(process.env, before);
  });

  it("is read from the stack config", () => {
    setConfig("project-service", complete);
    const settings = resolveConnection();
    assert.equal(settings.apiUrl, "https://config.example.com/api/project/v5");
    assert.equal(settings.password, "config-password");
  });

  it("prefers the settings object, then config, then the environment, key by key", () => {
    const { username: _, ...withoutUsername } = complete;
    setConfig("project-service", withoutUsername);
    process.env[names.username] = "from-environment";
    process.env[names.password] = "from-environment";
    const settings = resolveConnection({ baseUrl: "https://object.example.com" });
    assert.equal(settings.apiUrl, "https://object.example.com/api/project/v5");
    assert.equal(settings.password, "config-password");
    assert.equal(settings.username, "from-environment");
  });

  it("can come from the environment alone, where empty means not set", () => {
    for (const [key, value] of Object.entries(complete)) {
      process.env[names[key as keyof typeof complete]] = value;
    }
    process.env[names.timeoutSeconds] = "";
    assert.equal(resolveConnection().timeoutSeconds, 15);
    process.env[names.timeoutSeconds] = "3";
    assert.equal(resolveConnection().timeoutSeconds, 3);
  });

  it("is read anew at each call", () => {
    setConfig("project-service", complete);
    resolveConnection();
    setConfig("project-service", { ...complete, username: "other" });
    assert.equal(resolveConnection().username, "other");
  });

  it("can be read from another namespace, which the environment does not add to", async () => {
    setConfig("second", { ...complete, baseUrl: "https://second.example.com" });
    const settings = resolveConnection("second");
    assert.equal(settings.apiUrl, "https://second.example.com/api/project/v5");

    const { password: _, ...withoutPassword } = complete;
    setConfig("second", withoutPassword);
    process.env[names.password] = "of the first service";
    const { message } = await failureOf(() => resolveConnection("second"), "SETTINGS_INVALID");
    assert.match(message, /pulumi config set --secret second:password <value>$/m);
  });

  it("names all that is missing with the commands to set it", async () => {
    const { message } = await failureOf(() => resolveConnection(), "SETTINGS_INVALID");
    assert.match(message, /pulumi config set project-service:baseUrl <value>/);
    assert.match(message, /pulumi config set --secret project-service:password <value>/);
    assert.match(message, /PROJECT_SERVICE_PASSWORD/);
    assert.equal(message.split("\n").length, 7);
  });
});
