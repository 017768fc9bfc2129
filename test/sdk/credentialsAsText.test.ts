import assert from "node:assert/strict";
import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { type Sandbox, sampleProjects, startSandbox } from "../../sandbox/index.js";
import { getEnvironment } from "../../sdk/index.js";
import { failureOf } from "../support/failure.js";
import { settled } from "../support/settled.js";

describe("a credential in a result", () => {
  let sandbox: Sandbox;
  let password: pulumi.Output<string>;
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
    ["JSON.stringify", () => JSON.stringify({ password })],
    ["a plus sign", () => +asText],
    ["==", () => asText == inClear],
    ["Buffer.from", () => Buffer.from(asText).toString("base64")],
    ["new Uint8Array", () => new Uint8Array(asText as never)],
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

  for (const [use, make, expected] of [
    ["pulumi.interpolate", () => pulumi.interpolate`a:${password}`, () => `a:${inClear}`],
    ["pulumi.output", () => pulumi.output({ password }).password, () => inClear],
    ["pulumi.all", () => pulumi.all([password]).apply(([text]) => text), () => inClear],
    ["pulumi.secret", () => pulumi.secret(password), () => inClear],
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
