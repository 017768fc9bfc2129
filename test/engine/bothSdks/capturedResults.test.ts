import assert from "node:assert/strict";
import { useEngine } from "../../support/engineTest.js";
import { LeakSearch } from "../../support/leakSearch.js";
import type { Project } from "../../support/workbench.js";

const program = `import * as pulumi from "@pulumi/pulumi";
import { getProject, getProjectOutput, getProjects } from "pulumi-project-service";
export = async () => {
  const shop = await getProject({ name: "shop" });
  const output = getProjectOutput({ name: "shop" });
  const { projects } = await getProjects({ details: true, onInaccessible: "skip" });
  const error = await getProject({ name: "none" }).catch((thrown) => thrown);
  class Captures extends pulumi.dynamic.Resource {
    constructor(name: string, value: () => unknown) {
      const create = async () => ({ id: name, outs: { length: String(value()).length } });
      super({ create, update: async () => ({}) }, name, {});
    }
  }
  new Captures("unused", () => Object.keys(shop));
  new Captures("whole", () => shop.environments[0]!.databases[0]!.password.get());
  new Captures("environment", () => { const [live] = shop.environments; return () => live; });
  new Captures("output", () => output.get().environments[0]!.databases[0]!.password.get());
  new Captures("list", () => projects[0]!.environments[0]!.databases[0]!.username.get());
  new Captures("error", () => error.message);
};
`;

describe("a result that a dynamic provider captures", () => {
  const engine = useEngine({ sandboxFor: "suite" });
  let project: Project;
  before(async () => {
    project = await engine.workbench.project("captured", { program });
    await project.configure(engine.sandbox);
  });

  it("is encrypted in the state, and stays secret in a preview after a password changed", async () => {
    const secrets = new Set<string>();
    const searched = async (...args: string[]) => {
      for (const secret of engine.secrets()) secrets.add(secret);
      const { code, stdout, stderr } = await project.cli(...args);
      assert.equal(code, 0, stdout + stderr);
      const search = new LeakSearch([...secrets]);
      search.text(args.join(" "), stdout + stderr);
      for (const [path, text] of await project.backendFiles()) search.text(path, text || "nothing");
      return stdout;
    };
    await searched("up", "--yes", "--skip-preview");
    const resources = await project.resources();
    const lengthOf = (name: string) => {
      const { outputs } = resources.find(({ urn }) => urn.endsWith(`::${name}`)) ?? assert.fail();
      return (outputs as { length?: number }).length;
    };
    const database = engine.liveDatabase();
    for (const name of ["whole", "output"]) assert.equal(lengthOf(name), database.password.length);
    assert.equal(lengthOf("list"), database.username.length);

    database.password = "r0tated-p4ssword-of-the-shop";
    const preview = await searched("preview", "--diff");
    assert.match(preview, /__provider: \[secret\] => \[secret\]/);
  });
});
