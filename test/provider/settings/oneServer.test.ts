import assert from "node:assert/strict";
import { resolveSettings } from "../../../provider/settings/resolveSettings.js";
import { findInConfig, variableOf } from "../../../provider/settings/foundSettings.js";
import { settingKeys } from "../../../provider/settings/settingsTable.js";
import { failureOf } from "../../support/failure.js";

const a = { baseUrl: "https://a.example.com", authUrl: "https://login.a.example.com" };
const b = { baseUrl: "https://b.example.com", authUrl: "https://login.b.example.com" };
const names = { realm: "r", clientId: "c", username: "u" };
const secrets = { password: "c4nary-password", clientSecret: "c4nary-secret" };
const headers = { headers: '{"x-key":"c4nary-header"}' };
const limits = { timeoutSeconds: "3", maxConcurrency: "4" };

type Values = Readonly<Record<string, string>>;

for (const [namespace, prefix] of [
  ["project-service", "PROJECT_SERVICE_"],
  ["my-staging", "PROJECT_SERVICE_MY_STAGING_"],
] as const) {
  const variable = (key: string) => prefix + key.replace(/[A-Z]/g, "_$&").toUpperCase();

  describe(`settings of several sources, in the namespace ${namespace}`, () => {
    const before = { ...process.env };
    afterEach(() => {
      for (const name of Object.keys(process.env)) {
        if (name.startsWith("PROJECT_SERVICE_")) delete process.env[name];
      }
      Object.assign(process.env, before);
    });

    function resolve(
      config: Values,
      environment: Values = {},
      encrypted: readonly string[] = ["password", "clientSecret", "headers"],
    ) {
      for (const [key, value] of Object.entries(environment)) process.env[variable(key)] = value;
      const values = Object.entries(config).map(
        ([key, value]) =>
          [`${namespace}:${key}`, { value, secret: encrypted.includes(key) }] as const,
      );
      const found = findInConfig(namespace, Object.fromEntries(values));
      return { ...resolveSettings(found), warnings: found.warnings };
    }

    it("show no password of an address without a scheme", async () => {
      const environment = { baseUrl: "reader:c4nary-pw@b.example.com", scope: "s", password: "p" };
      const check = () => resolve({ ...a, ...names }, environment);
      const { message } = await failureOf(check, "SETTINGS_INVALID");
      assert.match(message, /BASE_URL is not a valid address/);
      assert.doesNotMatch(message, /c4nary/);
      const { warnings } = resolve({ ...a, ...names, password: "p" }, environment);
      assert.match(warnings.join(), /SCOPE is not used/);
      assert.doesNotMatch(warnings.join(), /c4nary/);
    });

    it("stay encrypted if one that is not valid is set again as the error says", async () => {
      const check = () => resolve({ ...a, ...names, ...secrets, baseUrl: "x" }, {}, ["baseUrl"]);
      const { message } = await failureOf(check, "SETTINGS_INVALID");
      assert.match(message, /pulumi config set --secret (project-service|my-staging):baseUrl$/m);
    });

    it("complete each other if only one of them names the server", () => {
      for (const [config, environment] of [
        [
          { ...a, ...names },
          { ...secrets, ...headers },
        ],
        [
          { ...secrets, ...headers },
          { ...a, ...names },
        ],
      ] as const) {
        const settings = resolve(config, environment);
        assert.equal(settings.password, secrets.password);
        assert.equal(settings.headers["x-key"], "c4nary-header");
        assert.deepEqual(settings.warnings, []);
      }
    });

    for (const [title, environment] of [
      ["equal addresses", a],
      ["only one of the addresses", { baseUrl: a.baseUrl }],
      [
        "addresses with slashes at the end",
        { baseUrl: `${a.baseUrl}/`, authUrl: `${a.authUrl}//` },
      ],
      ["addresses in upper case", { baseUrl: "HTTPS://A.example.com:443" }],
    ] as const) {
      it(`complete each other if they name the same server: ${title}`, () => {
        const settings = resolve({ ...a, ...names }, { ...environment, ...secrets, ...headers });
        assert.equal(settings.clientSecret, secrets.clientSecret);
        assert.deepEqual(settings.warnings, []);
      });
    }

    for (const [title, other] of [
      ["both addresses", b],
      ["baseUrl", { baseUrl: b.baseUrl, authUrl: a.authUrl }],
      ["authUrl", { authUrl: b.authUrl }],
      ["the port", { baseUrl: "https://a.example.com:8443" }],
      ["the path", { baseUrl: "https://a.example.com/other" }],
      ["an address that is none", { baseUrl: "c4nary" }],
      ["the realm", { realm: "other" }],
      ["the client", { clientId: "other" }],
      ["the user", { ...a, username: "other" }],
    ] as const) {
      it(`take only limits from an environment for another service or user: ${title} differs`, () => {
        const config = { ...a, ...names, password: "p" };
        const others = { scope: "c4nary-scope", caCertificate: "c4nary.pem", insecureHttp: "true" };
        const environment = { ...other, ...secrets, ...headers, ...limits, ...others };
        const settings = resolve(config, environment);
        const { warnings, ...used } = settings;
        assert.doesNotMatch(JSON.stringify(used), /c4nary/);
        assert.deepEqual([settings.timeoutSeconds, settings.maxConcurrency], [3, 4]);
        assert.equal(settings.apiUrl, `${a.baseUrl}/api/project/v5`);
        assert.deepEqual(
          warnings.map((warning) => warning.split(" ")[0]),
          ["clientSecret", ...Object.keys(others), "headers"].map(variable),
        );
        assert.doesNotMatch(warnings.join(), /c4nary/);
      });
    }

    it("name a variable that is not used in one warning, with both addresses", () => {
      const config = { ...a, ...names, password: "p" };
      const { warnings } = resolve(config, { ...b, clientSecret: "c4nary" });
      assert.deepEqual(warnings, [
        `${variable("clientSecret")} is not used, because the environment variables are for another service or user: ${variable("baseUrl")} is https://b.example.com, but ${namespace}:baseUrl is https://a.example.com.`,
      ]);
    });

    it("show the user, the client or the realm that differs", () => {
      const config = { ...a, ...names, password: "p" };
      for (const [key, value] of Object.entries(names)) {
        const environment = { [key]: "other\u202e", clientSecret: "c4nary" };
        const { warnings } = resolve(config, environment);
        const difference = `${variable(key)} is other\\u202e, but ${namespace}:${key} is ${value}.`;
        assert.ok(warnings[0]?.endsWith(difference), warnings[0]);
        delete process.env[variable(key)];
      }
    });

    it("show no value that differs from an encrypted one of the config", () => {
      const config = { ...a, ...names, password: "p" };
      for (const key of ["baseUrl", ...Object.keys(names)]) {
        const environment = { [key]: "https://c4nary.example.com", scope: "s" };
        const { warnings } = resolve(config, environment, ["password", key]);
        const difference = `: ${variable(key)} differs from ${namespace}:${key}.`;
        assert.ok(warnings[0]?.endsWith(difference), warnings[0]);
        delete process.env[variable(key)];
      }
    });

    it("name a variable that is not used in the error about a missing setting, and only usable sources", async () => {
      const check = () => resolve({ ...a, ...names }, { ...b, ...secrets });
      const { message } = await failureOf(check, "SETTINGS_INVALID");
      const line = `- password is missing. ${variable("password")} is not used, because the environment variables are for another service or user: ${variable("baseUrl")} is https://b.example.com, but ${namespace}:baseUrl is https://a.example.com. Set it: pulumi config set --secret ${namespace}:password`;
      assert.ok(message.endsWith(line), message);
      assert.doesNotMatch(message, /or set the environment variable/);
    });

    for (const [key, other] of [
      ["baseUrl", "authUrl"],
      ["authUrl", "baseUrl"],
    ] as const) {
      it(`take both addresses from one source: the config has ${key} only`, async () => {
        const config = { [key]: a[key], ...names, password: "p" };
        const environment = { [other]: a[other] };
        const { message } = await failureOf(() => resolve(config, environment), "SETTINGS_INVALID");
        const name = variable(other);
        const start = `- ${other} is missing. ${name} is not used, because `;
        const end = `, but the stack config sets the other address and no ${other}. Set it: pulumi config set ${namespace}:${other} <value>`;
        const line = message.split("\n").find((each) => each.includes(start));
        assert.ok(line?.endsWith(end), message);
      });
    }
  });
}

describe("the environment variables of a setting", () => {
  const words = settingKeys.map((key) => key.replace(/[A-Z]/g, "-$&").toLowerCase());

  it("are those of no other setting and no other namespace", () => {
    // If two variables with different keys were equal, the longer key would end with the shorter one.
    const variables = settingKeys.map((key) => `${variableOf("project-service", key)}`);
    for (const variable of variables) {
      const name = variable.replace("PROJECT_SERVICE_", "_");
      assert.deepEqual(
        variables.filter((other) => other.endsWith(name)),
        [variable],
      );
    }
    const parts = words.flatMap((word) => [word, ...word.split("-")]);
    const namespaces = ["service", "project", "project-service", ...parts].flatMap((part) => [
      part,
      `project-service-${part}`,
      ...words.map((word) => `${part}-${word}`),
    ]);
    const all = [...new Set(namespaces)].flatMap((namespace) =>
      settingKeys.map((key) => variableOf(namespace, key)),
    );
    assert.equal(new Set(all).size, all.length);
    assert.ok(!all.includes(undefined));
  });

  for (const namespace of [
    "Staging",
    "my_staging",
    "my--staging",
    "-staging",
    "staging-",
    "ä",
    "",
  ]) {
    it(`do not exist for the namespace "${namespace}", and the error says so`, async () => {
      const names = ["PROJECT_SERVICE_STAGING", "PROJECT_SERVICE_MY_STAGING", "PROJECT_SERVICE"];
      const values = [...names, "PROJECT_SERVICE_"].map((name) => [`${name}_PASSWORD`, "c4nary"]);
      const before = { ...process.env };
      Object.assign(process.env, Object.fromEntries(values));
      try {
        const found = findInConfig(namespace, {});
        assert.deepEqual([found.values, found.warnings], [{}, []]);
        const { message } = await failureOf(() => resolveSettings(found), "SETTINGS_INVALID");
        const line = `- password is missing. Set it: pulumi config set --secret ${namespace}:password`;
        const none =
          "This namespace cannot have environment variables: its name must consist of a-z, 0-9 and single dashes between them.";
        assert.ok(message.endsWith(`${line}\n  - ${none}`), message);
        assert.equal(message.split(none).length, 2, "once");
      } finally {
        for (const [name = ""] of values) delete process.env[name];
        Object.assign(process.env, before);
      }
    });
  }

  it("of one namespace do not count in another", () => {
    const before = { ...process.env };
    const namespaces = ["project-service", "staging", "staging-eu"];
    const set = namespaces.flatMap((namespace) =>
      settingKeys.map((key) => [`${variableOf(namespace, key)}`, `${namespace} ${key}`]),
    );
    Object.assign(process.env, Object.fromEntries(set));
    try {
      for (const namespace of namespaces) {
        const { values } = findInConfig(namespace, undefined);
        for (const key of settingKeys) assert.equal(values[key]?.value, `${namespace} ${key}`);
      }
      assert.deepEqual(findInConfig("eu", undefined).values, {});
    } finally {
      for (const [name = ""] of set) delete process.env[name];
      Object.assign(process.env, before);
    }
  });
});
