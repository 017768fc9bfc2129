import assert from "node:assert/strict";
import { laterClass, useEngine } from "../../support/engineTest.js";
import { assertHoldsNone } from "../../support/leakSearch.js";

const passing = `
const { getDatabase, getDatabaseOutput, getEnvironmentOutput, getProject, getProjectOutput, getProjects, pipelineOutputs } = projectService;
// The oldest SDK does not have these.
const { recover, invokeOutputOptionsFromResourceOptions } = pulumi as unknown as {
  recover?: <T>(failing: pulumi.Output<T>, other: () => T) => pulumi.Output<T>;
  invokeOutputOptionsFromResourceOptions?: (opts: pulumi.ComponentResourceOptions) => pulumi.InvokeOptions;
};
const optionsOf = invokeOutputOptionsFromResourceOptions ?? (({ parent, provider }) => ({ parent, provider }));
const live = { name: "shop", environmentId: "live" };
const missing = { name: "missing" };

class Captures extends pulumi.dynamic.Resource {
  constructor(name: string, value: () => unknown) {
    const create = async () => ({ id: name, outs: { length: String(value()).length } });
    super({ create, update: async () => ({}) }, name, {});
  }
}
class Inner extends pulumi.ComponentResource {
  readonly read: pulumi.Output<unknown[]>;
  constructor(name: string, opts: pulumi.ComponentResourceOptions) {
    super("test:index:Inner", name, {}, opts);
    const only: pulumi.Output<string | undefined> = pulumi.output(undefined);
    this.read = pulumi.all([
      getEnvironmentOutput(live, optionsOf(opts)).webroot,
      getDatabaseOutput({ name: "blog", environmentId: "live", databaseName: only }, { parent: this, version: "1.0.0", async: true }).name,
      getProject({ name: "shop" }, { parent: this, provider: opts.provider }).then(({ domain }) => domain),
    ]);
    this.registerOutputs({});
  }
}
class Outer extends pulumi.ComponentResource {
  readonly inner: Inner;
  constructor(name: string, opts: pulumi.ComponentResourceOptions) {
    super("test:index:Outer", name, {}, opts);
    this.inner = new Inner(name + "-inner", { ...opts, parent: this });
    this.registerOutputs({});
  }
}

export = async () => {
  const database = await getDatabase({ ...live, databaseName: "shop_live" });
  const { username, password } = database;
  console.log("printed", database);
  const stash = new pulumi.Stash("app", { input: { password, list: [password] } });
  const provider = new pulumi.ProviderResource("pulumi-nodejs", "other", {});
  const { inner } = new Outer("outer", { provider, dependsOn: stash });

  const shop = await getProject({ name: "shop" });
  const output = getProjectOutput({ name: "shop" });
  const { projects } = await getProjects({ details: true, onInaccessible: "skip" });
  const error = await getProject(missing).catch((thrown) => thrown);
  new Captures("unused", () => Object.keys(shop));
  new Captures("whole", () => shop.environments[0]!.databases[0]!.password.get());
  new Captures("environment", () => { const [live] = shop.environments; return () => live; });
  new Captures("output", () => output.get().environments[0]!.databases[0]!.password.get());
  new Captures("list", () => projects[0]!.environments[0]!.databases[0]!.username.get());
  new Captures("error", () => error.message);

  const outputs = recover && pipelineOutputs(getProjectOutput(missing));
  return {
    secret: {
      password,
      all: pulumi.all([username, password]).apply(([user, text]) => user + ":" + text),
      text: pulumi.interpolate\`\${username}:\${password}\`,
      json: pulumi.jsonStringify({ password }),
      base64: password.apply((text) => Buffer.from(text).toString("base64")),
      stashed: stash.output,
    },
    plain: {
      read: inner.read,
      recovered: recover && [
        recover(pulumi.output(1).apply(() => Promise.reject<string>(new Error("control"))), () => "control"),
        recover(getProjectOutput(missing).domain, () => "field"),
        recover(getProjectOutput(missing).apply(({ domain }) => domain), () => "apply"),
        recover(outputs!.project.domain, () => "project"),
        recover(outputs!.credentials.apply(() => "none"), () => "credentials"),
      ],
      areSecret: recover && ["shop", "missing"].map((name) =>
        pulumi.isSecret(recover(getDatabaseOutput({ ...live, name, databaseName: "shop_live" }).password, () => "plain")),
      ),
    },
    database,
  };
};
`;

describe("programs on the real engine", () => {
  const engine = useEngine({ sandboxFor: "test" });

  it("pass results to all functions of Pulumi, resources, components, dynamic providers and outputs", async () => {
    const project = await engine.stack("passing", passing);
    assert.match(await project.up(), /printed \{/);
    const database = engine.liveDatabase();
    const { username, password } = database;
    const text = `${username}:${password}`;
    const secret = {
      password,
      all: text,
      text,
      json: JSON.stringify({ password }),
      base64: Buffer.from(password).toString("base64"),
      stashed: { password, list: [password] },
    };
    const shown = (await project.outputs()) as Record<string, Record<string, unknown>>;
    assert.deepEqual(shown["secret"], secret);
    const { read, recovered, areSecret } = shown["plain"]!;
    assert.deepEqual(read, [
      "/var/www/shop/live/current/public",
      "wordpress_live",
      "shop.example.com",
    ]);
    if (recovered !== undefined) {
      const replacements = ["control", "field", "apply", "project", "credentials"];
      assert.deepEqual([recovered, areSecret], [replacements, [true, false]]);
    }
    const masked = JSON.parse(await project.succeed("stack", "output", "--json")) as object;
    const mask = (values: object) =>
      Object.fromEntries(Object.keys(values).map((name) => [name, "[secret]"]));
    assert.deepEqual(masked, {
      ...{ plain: shown["plain"], secret: mask(secret) },
      database: { ...shown["database"], username: "[secret]", password: "[secret]" },
    });

    const resources = await project.resources();
    const lengthOf = (name: string) =>
      resources.find(({ urn }) => urn.endsWith(`::${name}`))?.outputs as { length: number };
    for (const name of ["whole", "output"]) assert.equal(lengthOf(name).length, password.length);
    assert.equal(lengthOf("list").length, username.length);
    for (const [path, file] of await project.backendFiles()) {
      assertHoldsNone(path, file || "nothing", engine.secrets());
    }
    // A closure that captures a credential stays secret as a whole.
    database.password = "r0tated-p4ssword-of-the-shop";
    const preview = await project.succeed("preview", "--diff");
    assert.match(preview, /__provider: \[secret\] => \[secret\]/);
  });

  it("wait for dependencies: unknown in a preview without a request, read in an update", async () => {
    const project = await engine.stack(
      "depending",
      `${laterClass("shop")}
const later = new Later("later");
const waiting = projectService.getProjectOutput({ name: "shop" }, { dependsOn: later });
const argument = projectService.getProjectOutput({ name: later.value });
export const domains = [waiting.domain, argument.domain];
export const { project, credentials } = projectService.pipelineOutputs(waiting);
`,
    );
    await project.succeed("preview");
    assert.equal(engine.sandbox.counters.passwordGrants, 0);
    await project.up();
    const { domains } = await project.outputs();
    assert.deepEqual(domains, ["shop.example.com", "shop.example.com"]);
  });
});
