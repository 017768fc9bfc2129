import assert from "node:assert/strict";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { useEngine } from "../support/engineTest.js";
import { assertHoldsNone, withoutPulumisOwn } from "../support/leakSearch.js";
import type { Project } from "../support/workbench.js";

/** Returns the paths in a value at which `pulumi stack output` shows `[secret]`. */
function secretPaths(value: unknown, path = ""): string[] {
  if (value === "[secret]") return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => secretPaths(member, `${path}.${key}`));
}

describe("the quickstart on the real engine", () => {
  const engine = useEngine({ sandboxFor: "suite" });
  let project: Project;
  let stack: Stack;
  before(async () => {
    project = await engine.example("quickstart");
    await project.configure(engine.sandbox);
    stack = await project.stack();
  });

  it("shows exactly the credentials as [secret], and the project in clear text", async () => {
    const { outputs } = await stack.up(project.listen);
    assert.equal(outputs["name"]?.value, "shop");
    const { stdout } = await project.cli("stack", "output", "--json");
    const { environments, repository: address } = JSON.parse(stdout) as {
      environments: { webroot: string; branch: { name: string } }[];
      repository: string;
    };
    assert.equal(address, "git@git.example.com:retail/shop.git");
    assert.equal(environments[0]?.webroot, "/var/www/shop/live/current/public");
    assert.equal(environments[0].branch.name, "main");
    const expected = [0, 1, 2].flatMap((environment) =>
      [0, 1].flatMap((database) => [
        `.${environment}.databases.${database}.password`,
        `.${environment}.databases.${database}.username`,
      ]),
    );
    assert.deepEqual(secretPaths(environments).sort(), expected);
  });

  it("shows the credentials with --show-secrets", async () => {
    const { stdout } = await project.cli("stack", "output", "--json", "--show-secrets");
    const { environments } = JSON.parse(stdout) as {
      environments: { databases: { password: string }[] }[];
    };
    assert.equal(environments[0]?.databases[0]?.password, engine.liveDatabase().password);
  });

  it("signs in once", () => {
    assert.equal(engine.sandbox.counters.passwordGrants, 1);
    assert.equal(engine.sandbox.counters.rejectedGrants, 0);
  });

  it("keeps secrets out of the state, the outputs and the event log", async () => {
    const secrets = engine.secrets();
    const { stdout: state } = await project.cli("stack", "export");
    assert.match(state, /"ciphertext"/);
    assertHoldsNone("the exported state", state, secrets);
    assertHoldsNone("the engine's output", withoutPulumisOwn(project.heard()), secrets);
  });

  it("shows no change if nothing changed", async () => {
    const { changeSummary } = await stack.preview(project.listen);
    assert.deepEqual(changeSummary, { same: 2 });
  });

  it("can be destroyed", async () => {
    await stack.destroy(project.listen);
    const { resources } = (await stack.exportStack()).deployment as { resources?: unknown };
    assert.deepEqual(resources ?? [], []);
  });
});
