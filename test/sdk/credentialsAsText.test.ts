/* eslint-disable @typescript-eslint/no-base-to-string -- the tests are about these mistakes */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { type Sandbox, sampleProjects, startSandbox } from "../../sandbox/index.js";
import {
  getDatabaseOutput,
  getEnvironment,
  getEnvironmentOutput,
  getProject,
} from "../../sdk/index.js";
import { failureOf } from "../support/failure.js";
import { repository } from "../support/paths.js";
import { settled } from "../support/settled.js";

describe("a credential in a result", () => {
  let sandbox: Sandbox;
  let password: pulumi.Output<string>;
  let importRepository: pulumi.Output<unknown>;
  /** The password, for mistakes that only plain JavaScript allows. */
  let asText: string;
  let inClear: string;
  before(async () => {
    sandbox = await startSandbox({ projects: sampleProjects().slice(0, 1) });
    const opts = { connection: sandbox.connection };
    const [database] = (await getEnvironment({ name: "shop", environmentId: "live" }, opts))
      .databases;
    assert.ok(database);
    password = database.password;
    asText = password as unknown as string;
    inClear =
      sandbox.projects[0]!.projectEnvironments[0]!.projectEnvironmentDatabases.databases.find(
        ({ name }) => name === database.name,
      )!.password;
    importRepository = (await getProject({ name: "shop" }, opts)).codeRepository.importRepository!;
  });
  after(() => sandbox.close());

  it("passes into a resource, also in a list, of which Pulumi makes a text for debugging", async () => {
    await pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => ({ id: name, state: inputs as object }),
      call: () => assert.fail(),
    });
    class Container extends pulumi.CustomResource {
      declare readonly args: pulumi.Output<string[]>;
      constructor(args: pulumi.Input<string>[]) {
        super("test:index:Container", "container", { args });
      }
    }
    const { args } = new Container(["--password", password]);
    assert.deepEqual(await settled(args), { value: ["--password", inClear], secret: true });
  });

  for (const [conversion, convert] of [
    ["a template literal", () => `mysql://${asText}`],
    ["concatenation", () => "mysql://" + asText],
    ["encodeURIComponent", () => encodeURIComponent(asText)],
    ["toString", () => password.toString()],
    ["toLocaleString", () => (password as object).toLocaleString()],
    ["JSON.stringify", () => JSON.stringify({ password })],
    ["join", () => [password].join("")],
    ["a plus sign", () => +asText],
    ["==", () => asText == inClear],
    ["new URL", () => new URL(asText)],
    ["the text encoder", () => new TextEncoder().encode(asText)],
    ["btoa", () => btoa(asText)],
    ["Buffer.from", () => Buffer.from(asText).toString("base64")],
    ["Buffer.from of a list", () => Buffer.from([asText as never])],
    ["new Uint8Array", () => new Uint8Array(asText as never)],
    ["Array.from", () => Array.from(asText)],
    ["an environment variable", () => (process.env["TEST_CREDENTIAL"] = asText)],
  ] as const) {
    it(`cannot be converted by ${conversion}`, async () => {
      const error = await failureOf(() => void convert(), "ARGUMENT_INVALID");
      assert.match(error.message, /^password is a secret Output/);
      assert.match(
        error.message,
        /pulumi\.interpolate.*pulumi\.jsonStringify.*password\.apply.*Base64.*comparison/,
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

  it("cannot be converted inside apply of an Output", async () => {
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

  it("is a plain Output of Pulumi if Pulumi derives it, and then needs apply", async () => {
    const args = { name: "shop", environmentId: "live", databaseName: "shop_live" };
    const derived = getDatabaseOutput(args, { connection: sandbox.connection }).password;
    for (const output of [derived, password.length]) {
      assert.match(String(output), /^Calling \[toString\] on an \[Output<T>\] is not supported/);
      assert.equal(Buffer.from(output as never).length, 0);
      assert.equal(new Uint8Array(output as never).length, 0);
    }
    const encoded = derived.apply((text) => Buffer.from(text).toString("base64"));
    assert.deepEqual(await settled(encoded), {
      value: Buffer.from(inClear).toString("base64"),
      secret: true,
    });
  });

  it("throws for texts with PULUMI_ERROR_OUTPUT_STRING if Pulumi derives it, but not for Buffer.from", () => {
    const program = `
      const derived = require("@pulumi/pulumi").secret({ password: "p" }).password;
      try { String(derived); } catch { console.log("throws"); }
      console.log(Buffer.from(derived).length);`;
    const env = { ...process.env, PULUMI_ERROR_OUTPUT_STRING: "true" };
    const options = { cwd: repository, env, encoding: "utf8" } as const;
    assert.equal(execFileSync(process.execPath, ["-e", program], options), "throws\n0\n");
  });
});
