import assert from "node:assert/strict";
import { useEngine } from "../support/engineTest.js";
import { assertHoldsNone } from "../support/leakSearch.js";
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
  before(async () => {
    project = await engine.example("quickstart");
    await project.configure(engine.sandbox);
  });

  it("shows exactly the credentials as [secret], and the project in clear text", async () => {
    const printed = await project.succeed("up", "--yes", "--skip-preview");
    assertHoldsNone("the output", printed, engine.secrets());
    assertHoldsNone("the state", await project.state(), engine.secrets());
    const stdout = await project.succeed("stack", "output", "--json");
    for (const text of ["shop", "git@git.example.com:retail/shop.git", "main"]) {
      assert.ok(stdout.includes(`"${text}"`), stdout);
    }
    const expected = [0, 1, 2].flatMap((environment) =>
      [0, 1].flatMap((database) => [
        `.environments.${environment}.databases.${database}.password`,
        `.environments.${environment}.databases.${database}.username`,
      ]),
    );
    assert.deepEqual(secretPaths(JSON.parse(stdout)).sort(), expected);
  });

  it("shows no change if nothing changed, and signs in once for each command", async () => {
    await project.succeed("preview", "--expect-no-changes");
    const { passwordGrants, rejectedGrants } = engine.sandbox.counters;
    assert.deepEqual({ passwordGrants, rejectedGrants }, { passwordGrants: 2, rejectedGrants: 0 });
  });
});
