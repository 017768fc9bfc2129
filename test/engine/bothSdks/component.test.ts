import assert from "node:assert/strict";
import { programImports, useEngine } from "../../support/engineTest.js";

const program = `${programImports}
const { getDatabaseOutput, getEnvironmentOutput, getProject } = projectService;
// The oldest SDK does not have it.
const optionsOf = (pulumi as Record<string, any>).invokeOutputOptionsFromResourceOptions ?? (({ parent, provider }) => ({ parent, provider }));
const live = { name: "shop", environmentId: "live" };
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
const provider = new pulumi.ProviderResource("pulumi-nodejs", "other", {});
const other = new pulumi.Stash("other", { input: "value" });
export const { read } = new Outer("outer", { provider, dependsOn: other }).inner;
`;

describe("a component in a component", () => {
  const engine = useEngine({ sandboxFor: "suite" });

  it("reads with the options that Pulumi passes, and with an optional Output as argument", async () => {
    const project = await engine.workbench.project("component", { program });
    await project.configure(engine.sandbox);
    await project.succeed("up", "--yes", "--skip-preview");
    const { read } = await project.outputs();
    assert.deepEqual(read, [
      "/var/www/shop/live/current/public",
      "wordpress_live",
      "shop.example.com",
    ]);
  });
});
