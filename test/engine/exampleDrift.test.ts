import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { useEngine } from "../support/engineTest.js";
import { repository } from "../support/paths.js";
import { assertHoldsNone } from "../support/leakSearch.js";
import { type Project, resultOf, run } from "../support/workbench.js";

describe("the example drift, with the real engine", () => {
  const engine = useEngine({ sandboxFor: "suite" });
  let project: Project;
  before(async () => {
    project = await engine.example("drift");
  });

  /** Looks for drift as a CI job does. Searches the output for secrets. */
  async function look() {
    const settings = { ...project.environment, PULUMI_STACK: "test" };
    const env = { ...process.env, ...settings };
    const drift = run("npx", ["pulumi-project-service", "drift"], { cwd: project.directory, env });
    const { code, stdout, stderr } = await resultOf(drift);
    assertHoldsNone("the job", stdout + stderr, engine.secrets());
    return { code, stdout, stderr };
  }

  it("finds no drift after the service was recorded", async () => {
    await project.configure(engine.sandbox);
    const recorded = await project.cli("up", "--yes", "--skip-preview");
    assert.equal(recorded.code, 0, recorded.stdout);
    const { code, stdout, stderr } = await look();
    assert.equal(code, 0, stderr);
    assert.equal(stdout, "No drift: 12 projects are as recorded.\n");
  });

  it("shows the drift as in its README", async () => {
    const [shop] = engine.sandbox.projects;
    const [live] = shop?.projectEnvironments ?? [];
    assert.ok(shop && live);
    live.projectEnvironmentCode.currentTag = "v2.2.0";
    engine.sandbox.projects = engine.sandbox.projects.filter(({ _id }) => _id !== "p-2");
    const { code, stdout, stderr } = await look();
    assert.equal(code, 7, stderr);
    const readme = await readFile(join(repository, "examples/drift/README.md"), "utf8");
    assert.ok(readme.includes(stdout), stdout);
  });

  it("says that it could not look if the service cannot be read", async () => {
    engine.sandbox.forbiddenProjectIds.add("p-3");
    const { code, stdout, stderr } = await look();
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /Could not look for drift: [^]*FORBIDDEN/);
  });
});
