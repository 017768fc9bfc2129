import assert from "node:assert/strict";
import { resolveSettings } from "../../../provider/settings/resolveSettings.js";
import { findInConfig, variableOf } from "../../../provider/settings/foundSettings.js";
import { settingKeys } from "../../../provider/settings/settingsTable.js";
import { failureOf } from "../../support/failure.js";

const open = {
  baseUrl: "https://a.example.com",
  authUrl: "https://login.a.example.com",
  ...{ realm: "r", clientId: "c", username: "u" },
};
const secrets = { password: "p", clientSecret: "s", headers: '{"x-key":"k"}' };

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

    function resolve(config: Values, environment: Values = {}, encrypted = Object.keys(secrets)) {
      for (const [key, value] of Object.entries(environment)) process.env[variable(key)] = value;
      const values = Object.entries(config).map(
        ([key, value]) =>
          [`${namespace}:${key}`, { value, secret: encrypted.includes(key) }] as const,
      );
      return resolveSettings(findInConfig(namespace, Object.fromEntries(values)));
    }

    async function problems(...args: Parameters<typeof resolve>): Promise<string[]> {
      const { message } = await failureOf(() => resolve(...args), "SETTINGS_INVALID");
      return message.split("\n  - ").slice(1);
    }

    it("come from the stack config, otherwise from their variables", () => {
      const ofConfig = { ...open, scope: "config", timeoutSeconds: "2" };
      const ofVariables = { ...secrets, scope: "variable", maxConcurrency: "3" };
      const settings = resolve(ofConfig, ofVariables);
      const { scope, timeoutSeconds, maxConcurrency, password } = settings;
      assert.deepEqual([scope, timeoutSeconds, maxConcurrency, password], ["config", 2, 3, "p"]);
      assert.deepEqual({ ...settings.headers }, { "x-key": "k" });
    });

    it("agree if an address is written in two ways", () => {
      const baseUrl = "HTTPS://A.example.com:443/api/project/v5/";
      assert.equal(resolve(open, { ...open, baseUrl, ...secrets }).password, "p");
    });

    for (const [key, value] of Object.entries({
      ...{ baseUrl: "https://a.example.com/c4nary", authUrl: "c4nary" },
      ...{ realm: "c4nary", clientId: "c4nary", username: "c4nary" },
    })) {
      it(`are invalid if ${key} differs, and the error shows no value`, async () => {
        const [problem = "", ...others] = await problems({ ...open, ...secrets }, { [key]: value });
        assert.ok(problem.startsWith(`${namespace}:${key} in the stack config differs from`));
        assert.ok(problem.includes(` ${variable(key)}. `));
        assert.deepEqual(others, []);
        assert.doesNotMatch(problem, /c4nary/);
      });
    }

    for (const key of Object.keys(secrets) as (keyof typeof secrets)[]) {
      it(`are invalid if the config has ${key}, but variables have the addresses`, async () => {
        const { [key]: _, ...others } = secrets;
        const found = await problems({ [key]: secrets[key] }, { ...open, ...others });
        assert.match(
          found.join(),
          new RegExp(`^${namespace}:${key} .* baseUrl and authUrl are not`),
        );
      });
    }

    for (const [key, other] of [
      ["baseUrl", "authUrl"],
      ["authUrl", "baseUrl"],
    ] as const) {
      it(`are invalid if only ${key} is in the config, and ${other} is in a variable`, async () => {
        const { [other]: address, ...config } = { ...open, ...secrets };
        const found = await problems(config, { [other]: address });
        assert.match(found.join(), new RegExp(`^${other} .* ${variable(other)}, .* one place`));
      });
    }

    for (const missing of ["baseUrl", "password"] as const) {
      it(`lack ${missing} in a variable if variables have an address`, async () => {
        const { [missing]: _, ...others } = { ...open, ...secrets };
        const advice = `${missing} is missing. Set the environment variable ${variable(missing)}`;
        assert.deepEqual(await problems({}, others), [advice]);
      });
    }

    it("stay encrypted if one that is not valid is set again as the error says", async () => {
      const [problem] = await problems({ ...open, ...secrets, baseUrl: "x" }, {}, ["baseUrl"]);
      assert.match(
        problem ?? "",
        /pulumi config set --secret (project-service|my-staging):baseUrl$/,
      );
    });
  });
}

describe("the environment variables of a setting", () => {
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
    it(`do not exist for the namespace "${namespace}", and the error names none`, async () => {
      const names = ["PROJECT_SERVICE_STAGING", "PROJECT_SERVICE_MY_STAGING", "PROJECT_SERVICE"];
      const values = [...names, "PROJECT_SERVICE_"].map((name) => [`${name}_PASSWORD`, "c4nary"]);
      const before = { ...process.env };
      Object.assign(process.env, Object.fromEntries(values));
      try {
        const found = findInConfig(namespace, {});
        assert.deepEqual([found.values, found.warnings], [{}, []]);
        const { message } = await failureOf(() => resolveSettings(found), "SETTINGS_INVALID");
        assert.ok(message.endsWith(`: pulumi config set --secret ${namespace}:password`), message);
        assert.doesNotMatch(message, /environment variable/);
      } finally {
        for (const [name = ""] of values) delete process.env[name];
        Object.assign(process.env, before);
      }
    });
  }
});
