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
  pulumi.runtime.setAllConfig(
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [`${namespace}:${key}`, value]),
    ),
    [`${namespace}:password`],
  );
}

function setEnvironment(values: Record<string, string>): void {
  for (const [key, value] of Object.entries(values)) {
    process.env[`PROJECT_SERVICE_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`] = value;
  }
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

  describe("as an object", () => {
    const own = { ...complete, password: "own-password" };
    const canaries = {
      username: "canary-username",
      password: "canary-password",
      clientSecret: "canary-client-secret",
      scope: "canary-scope",
      headers: '{"x-key":"canary-header"}',
      caCertificate: "/canary.pem",
      insecureHttp: "true",
      timeoutSeconds: "3",
      maxConcurrency: "3",
    };
    const sources: [string, (values: Record<string, string>) => void][] = [
      ["the config", (values) => setConfig("project-service", values)],
      ["the environment", setEnvironment],
    ];

    for (const [source, set] of sources) {
      it(`takes nothing from ${source}`, () => {
        set({ ...complete, ...canaries });
        const insecure = { ...own, baseUrl: "http://other.example.com" };
        assert.throws(() => resolveConnection(insecure), /insecureHttp/);
        const settings = resolveConnection(own);
        assert.doesNotMatch(JSON.stringify(settings), /canary|:3\b/);
        assert.deepEqual([settings.timeoutSeconds, settings.maxConcurrency], [15, 16]);
        assert.deepEqual(settings.caCertificates, []);
        assert.equal(settings.clientSecret, undefined);
      });

      it(`is refused with all that it lacks, even if ${source} has it`, async () => {
        set({ ...complete, ...canaries });
        const { message } = await failureOf(
          () => resolveConnection({ clientId: "c", password: undefined }),
          "SETTINGS_INVALID",
        );
        for (const key of ["baseUrl", "authUrl", "realm", "username", "password"]) {
          assert.match(message, new RegExp(`- connection\\.${key} is missing or undefined\\.`));
        }
        assert.equal(message.split("\n").length, 6);
        assert.doesNotMatch(message, /canary|pulumi config set|PROJECT_SERVICE/);
      });
    }

    it("may have Outputs and Promises, which count as present", async () => {
      const password = pulumi.secret("later");
      assert.ok(resolveConnection({ ...own, username: Promise.resolve("later"), password }));
      const { message } = await failureOf(
        () => resolveConnection({ baseUrl: pulumi.output("https://own.example.com"), password }),
        "SETTINGS_INVALID",
      );
      assert.doesNotMatch(message, /baseUrl|password/);
    });
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
    setEnvironment({ clientSecret: "s" });
    assert.equal(resolveConnection().clientSecret, "s");
  });
});
