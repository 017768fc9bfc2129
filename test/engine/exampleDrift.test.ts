import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { useEngine } from "../support/engineTest.js";
import { repository } from "../support/paths.js";
import { assertHoldsNone } from "../support/leakSearch.js";
import { resultOf, run } from "../support/workbench.js";

describe("the example drift, with the real engine", () => {
  const engine = useEngine({ sandboxFor: "suite" });
  it("shows the drift as in its README", async () => {
    const project = await engine.example("drift");
    await project.configure(engine.sandbox);
    await project.succeed("up", "--yes", "--skip-preview");
    const [shop] = engine.sandbox.projects;
    const [live] = shop?.projectEnvironments ?? [];
    assert.ok(shop && live);
    live.projectEnvironmentCode.currentTag = "v2.2.0";
    engine.sandbox.projects = engine.sandbox.projects.filter(({ _id }) => _id !== "p-2");

    // As a CI job does.
    const env = { ...process.env, ...project.environment, PULUMI_STACK: "test" };
    const drift = run("npx", ["pulumi-project-service", "drift"], { cwd: project.directory, env });
    const { code, stdout, stderr } = await resultOf(drift);
    assertHoldsNone("the job", stdout + stderr, engine.secrets());
    assert.equal(code, 7, stderr);
    const readme = await readFile(join(repository, "examples/drift/README.md"), "utf8");
    assert.ok(readme.includes(stdout), stdout);
  });
});
