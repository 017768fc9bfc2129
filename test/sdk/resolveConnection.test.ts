import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { type SettingKey, settingKeys } from "../../provider/settings/settingSources.js";
import { plainConnection, resolveConnection } from "../../sdk/reading/resolveConnection.js";
import { createAuthority } from "../support/certificates.js";
import { failureOf } from "../support/failure.js";
import { settled } from "../support/settled.js";

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
  const authority = createAuthority("A private authority");
  afterEach(() => {
    pulumi.runtime.setAllConfig({});
    for (const name of Object.keys(process.env)) {
      if (name.startsWith("PROJECT_SERVICE_")) delete process.env[name];
    }
    Object.assign(process.env, before);
  });

  it("comes from the stack config", () => {
    setConfig("project-service", complete);
    const settings = resolveConnection();
    assert.equal(settings.apiUrl, "https://config.example.com/api/project/v5");
    assert.equal(settings.password, "config-password");
  });

  it("takes each key from the settings object, else from config, else from the environment", () => {
    const { username: _, ...withoutUsername } = complete;
    setConfig("project-service", withoutUsername);
    process.env[names.username] = "from-environment";
    process.env[names.password] = "from-environment";
    const settings = resolveConnection({ clientId: "from-object" });
    assert.equal(settings.clientId, "from-object");
    assert.equal(settings.password, "config-password");
    assert.equal(settings.username, "from-environment");
  });

  describe("to a server that the settings object names", () => {
    const boundToOneServer = {
      username: "canary-username",
      password: "canary-password",
      clientSecret: "canary-client-secret",
      headers: '{"x-key":"canary-header"}',
      caCertificate: authority.cert,
      insecureHttp: "true",
    };
    const shared = { realm: "r", clientId: "c", scope: "s", timeoutSeconds: "3" };
    const sources: [string, (values: Record<string, string>) => void][] = [
      ["config", (values) => setConfig("project-service", values)],
      [
        "the environment",
        (values) => {
          for (const [key, value] of Object.entries(values)) {
            process.env[`PROJECT_SERVICE_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`] = value;
          }
        },
      ],
    ];
    const addresses = { baseUrl: complete.baseUrl, authUrl: complete.authUrl };
    const login = { username: "own-user", password: "own-password" };

    for (const [source, set] of sources) {
      it(`gets no setting from ${source} that belongs to one server, but all others`, () => {
        set({ ...addresses, ...shared, ...boundToOneServer });
        const settings = resolveConnection({ ...addresses, ...login });
        assert.doesNotMatch(JSON.stringify(settings), /canary/);
        assert.deepEqual(settings.caCertificates, []);
        assert.equal(settings.clientSecret, undefined);
        assert.deepEqual(
          [settings.clientId, settings.scope, settings.timeoutSeconds],
          ["c", "s", 3],
        );
      });

      it(`does not take the other address from ${source}, which would receive the password`, async () => {
        set({ ...addresses, ...shared, ...boundToOneServer });
        for (const [named, missing] of [
          [{ baseUrl: complete.baseUrl }, "authUrl"],
          [{ authUrl: complete.authUrl }, "baseUrl"],
        ] as const) {
          const { message } = await failureOf(
            () => resolveConnection({ ...named, ...login }),
            "SETTINGS_INVALID",
          );
          assert.match(
            message,
            new RegExp(`connection\\.${missing} is missing\\..*Add ${missing}`),
          );
        }
      });

      it(`is refused if username or password is missing, even if ${source} has them`, async () => {
        set({ ...addresses, ...shared, ...boundToOneServer });
        for (const connection of [
          addresses,
          { ...addresses, username: undefined, password: undefined },
        ]) {
          const { message } = await failureOf(
            () => resolveConnection(connection),
            "SETTINGS_INVALID",
          );
          assert.match(
            message,
            /connection\.username is (missing|undefined)\..*Add username|Give it/,
          );
          assert.match(
            message,
            /connection\.password is (missing|undefined)\..*Add password|Give it/,
          );
          assert.doesNotMatch(message, /canary/);
        }
      });

      it(`refuses http, even if ${source} has insecureHttp for another server`, async () => {
        set({ ...addresses, ...shared, ...boundToOneServer });
        const connection = { ...login, baseUrl: "http://other.example.com" };
        await failureOf(() => resolveConnection(connection), "SETTINGS_INVALID");
      });
    }
  });

  it("names its own server in both forms, even if the settings object inherits the address", async () => {
    const login = { username: "own-user", password: "own-password" };
    class Connection {
      readonly username = login.username;
      readonly password = login.password;
      readonly realm = "r";
      readonly clientId = "c";
      get baseUrl() {
        return "https://own.example.com";
      }
      get authUrl() {
        return "https://own-login.example.com";
      }
    }
    setConfig("project-service", { ...complete, clientSecret: "canary" });
    const once = plainConnection(new Connection());
    const { value } = await settled(pulumi.output(once));
    for (const settings of [resolveConnection(new Connection()), resolveConnection(value)]) {
      assert.match(settings.apiUrl, /^https:\/\/own\.example\.com/);
      assert.match(settings.tokenUrl, /^https:\/\/own-login\.example\.com/);
      assert.doesNotMatch(JSON.stringify(settings), /canary/);
    }
  });

  for (const key of Object.keys(settingKeys) as SettingKey[]) {
    it(`does not look up ${key} if the settings object has it as undefined`, async () => {
      const canary =
        key === "timeoutSeconds" || key === "maxConcurrency" ? "7" : "https://canary.example.com";
      setConfig("project-service", { ...complete, [key]: canary });
      const resolve = () => resolveConnection({ [key]: undefined });
      if (!(key in complete)) return assert.doesNotMatch(JSON.stringify(resolve()), /canary|:7\b/);
      const { message } = await failureOf(resolve, "SETTINGS_INVALID");
      assert.match(
        message,
        new RegExp(`connection\\.${key} is undefined\\. Because the key is present`),
      );
    });
  }

  it("can come from the environment alone, in which an empty variable counts as not set", () => {
    for (const [key, value] of Object.entries(complete)) {
      process.env[names[key as keyof typeof complete]] = value;
    }
    process.env[names.timeoutSeconds] = "";
    assert.equal(resolveConnection().timeoutSeconds, 15);
    process.env[names.timeoutSeconds] = "3";
    assert.equal(resolveConnection().timeoutSeconds, 3);
  });

  it("is resolved anew at each call", () => {
    setConfig("project-service", complete);
    resolveConnection();
    setConfig("project-service", { ...complete, username: "other" });
    assert.equal(resolveConnection().username, "other");
  });

  it("can come from another namespace, without the environment", async () => {
    setConfig("second", { ...complete, baseUrl: "https://second.example.com" });
    const settings = resolveConnection("second");
    assert.equal(settings.apiUrl, "https://second.example.com/api/project/v5");

    const { password: _, ...withoutPassword } = complete;
    setConfig("second", withoutPassword);
    process.env[names.password] = "of the first service";
    const { message } = await failureOf(() => resolveConnection("second"), "SETTINGS_INVALID");
    assert.match(message, /pulumi config set --secret second:password$/m);
  });

  it("names all missing settings, with the commands to set them", async () => {
    setConfig("project-service", { scope: "projects" });
    const { message } = await failureOf(() => resolveConnection(), "SETTINGS_INVALID");
    assert.match(message, /pulumi config set project-service:baseUrl <value>/);
    assert.match(message, /pulumi config set --secret project-service:password /);
    assert.match(message, /PROJECT_SERVICE_PASSWORD/);
    assert.equal(message.split("\n").length, 7);
  });

  it("does not advise config commands where there is no config", async () => {
    const { message } = await failureOf(() => resolveConnection(), "SETTINGS_INVALID");
    assert.match(message, /Outside of Pulumi commands there is no stack config/);
    assert.match(message, /environment variable PROJECT_SERVICE_PASSWORD/);
    assert.doesNotMatch(message, /pulumi config set/);
  });

  it("knows where each setting was found", () => {
    setConfig("project-service", complete);
    process.env["PROJECT_SERVICE_SCOPE"] = "projects";
    const { origins } = resolveConnection({ timeoutSeconds: 3 });
    assert.equal(origins.password, "project-service:password in the stack config");
    assert.equal(origins.timeoutSeconds, "connection.timeoutSeconds in the program");
    assert.equal(origins.scope, "the environment variable PROJECT_SERVICE_SCOPE");
  });

  for (const authUrl of [
    "https://login.example.com",
    "https://login.example.com/auth/",
    "https://login.example.com/auth/realms/my%20realm",
  ]) {
    it(`understands ${authUrl} as authUrl`, () => {
      setConfig("project-service", { ...complete, authUrl, realm: "my realm" });
      const { issuer } = resolveConnection();
      assert.equal(issuer, "https://login.example.com/auth/realms/my%20realm");
    });
  }
});
