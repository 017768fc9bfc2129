/* eslint-disable @typescript-eslint/no-base-to-string -- the tests are about these mistakes */
import assert from "node:assert/strict";
import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { type Sandbox, sampleProjects, startSandbox } from "../../sandbox/index.js";
import { getEnvironment, getEnvironmentOutput, getProject } from "../../sdk/index.js";
import { failureOf } from "../support/failure.js";
import { settled } from "../support/settled.js";

describe("a credential in a result", () => {
  let sandbox: Sandbox;
  let password: pulumi.Output<string>;
  let importRepository: pulumi.Output<unknown>;
  let inClear: string;
  before(async () => {
    sandbox = await startSandbox({ projects: sampleProjects().slice(0, 1) });
    const opts = { connection: sandbox.connection };
    const [database] = (await getEnvironment({ name: "shop", environmentId: "live" }, opts))
      .databases;
    assert.ok(database);
    password = database.password;
    inClear =
      sandbox.projects[0]!.projectEnvironments[0]!.projectEnvironmentDatabases.databases.find(
        ({ name }) => name === database.name,
      )!.password;
    importRepository = (await getProject({ name: "shop" }, opts)).codeRepository.importRepository!;
  });
  after(() => sandbox.close());

  for (const [conversion, convert] of [
    ["a template literal", () => `${String(password)}`],
    ["a template literal without String", () => `mysql://${password as unknown as string}`],
    ["concatenation", () => "mysql://" + (password as unknown as string)],
    ["encodeURIComponent", () => encodeURIComponent(password as unknown as string)],
    ["toString", () => password.toString()],
    ["JSON.stringify", () => JSON.stringify({ password })],
    ["join", () => [password].join("")],
    ["a number", () => Number(password)],
    ["new URL", () => new URL(password)],
  ] as const) {
    it(`cannot be converted to text by ${conversion}`, async () => {
      const error = await failureOf(() => void convert(), "ARGUMENT_INVALID");
      assert.match(error.message, /^password is a secret Output/);
      assert.match(
        error.message,
        /pulumi\.interpolate.*pulumi\.jsonStringify.*password\.apply.*comparison/,
      );
    });
  }

  it("names its own field in the error", async () => {
    const { message } = await failureOf(
      () => void JSON.stringify(importRepository),
      "ARGUMENT_INVALID",
    );
    assert.match(message, /^importRepository is/);
  });

  it("cannot be converted to text inside apply of an Output", async () => {
    const output = getEnvironmentOutput(
      { name: "shop", environmentId: "live" },
      { connection: sandbox.connection },
    ).apply(({ databases: [first] }) => `mysql://${String(first?.password)}`);
    await assert.rejects(settled(output), /password is a secret Output/);
  });

  for (const [use, make, expected] of [
    ["pulumi.interpolate", () => pulumi.interpolate`a:${password}`, () => `a:${inClear}`],
    ["pulumi.concat", () => pulumi.concat("a:", password), () => `a:${inClear}`],
    ["pulumi.output", () => pulumi.output({ password }).password, () => inClear],
    ["pulumi.all", () => pulumi.all([password]).apply(([text]) => text), () => inClear],
    ["pulumi.secret", () => pulumi.secret(password), () => inClear],
    ["apply", () => password.apply((text) => text.length), () => inClear.length],
    ["lifting", () => password.length, () => inClear.length],
    [
      "pulumi.jsonStringify",
      () => pulumi.jsonStringify({ password }),
      () => JSON.stringify({ password: inClear }),
    ],
  ] as const) {
    it(`works with ${use}, and stays secret`, async () => {
      const output = pulumi.output<unknown>(make());
      const { value, secret } = await settled(output);
      assert.deepEqual([value, secret], [expected(), true]);
    });
  }

  it("works with pulumi.unsecret and pulumi.isSecret", async () => {
    assert.equal(await pulumi.isSecret(password), true);
    const { value, secret } = await settled(pulumi.unsecret(password));
    assert.deepEqual([value, secret], [inClear, false]);
  });

  it("works with util.inspect, which does not show it", () => {
    assert.ok(!inspect({ password }, { depth: Infinity }).includes(inClear));
  });
});
