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
  let tellsDriftFromFailure: boolean;
  before(async () => {
    const version = engine.workbench.pulumi.version ?? assert.fail("the CLI has no version");
    tellsDriftFromFailure = version.compare("3.226.1") >= 0;
    project = await engine.example("drift");
  });

  /** Runs drift.mjs as a CI job does. Searches the output for secrets. */
  async function look(environment: Record<string, string> = {}) {
    const settings = { ...project.environment, PULUMI_STACK: "test" };
    const env = { ...process.env, ...settings, ...environment };
    const drift = run("node", ["drift.mjs"], { cwd: project.directory, env });
    const { code, stdout, stderr } = await resultOf(drift);
    assertHoldsNone("the job", stdout + stderr, engine.secrets());
    const [result] = stdout.trim().split("\n").reverse();
    return { code, printed: stdout + stderr, result: result ?? "" };
  }

  it("finds no drift after the service was recorded", async () => {
    await project.configure(engine.sandbox);
    const recorded = await project.cli("up", "--yes", "--skip-preview");
    assert.equal(recorded.code, 0, recorded.stdout);
    const { code, printed, result } = await look();
    assert.equal(code, 0, printed);
    assert.equal(result, "No drift: The preview shows no changes.");
  });

  it("shows the drift as in its README, and tells it from failure with a CLI that can", async () => {
    const [shop] = engine.sandbox.projects;
    const [live] = shop?.projectEnvironments ?? [];
    assert.ok(shop && live);
    live.projectEnvironmentCode.currentTag = "v2.2.0";
    const { code, printed, result } = await look();
    const [changes] = /^ +~ projects: \{\n[^]*?"v2\.1\.0" => "v2\.2\.0"\n/m.exec(printed) ?? [];
    assert.ok(changes, printed);
    const readme = await readFile(join(repository, "examples/drift/README.md"), "utf8");
    assert.ok(readme.includes(changes), changes);
    assert.equal(code, tellsDriftFromFailure ? 7 : 1, printed);
    assert.match(result, tellsDriftFromFailure ? /^Drift: / : /^Drift or failure: Pulumi 3\./);
  });

  it("says that it could not look if the service cannot be read", async () => {
    engine.sandbox.forbiddenProjectIds.add("p-2");
    const { code, printed, result } = await look();
    assert.equal(code, 1, printed);
    assert.match(printed, /FORBIDDEN/);
    assert.match(result, tellsDriftFromFailure ? /^Could not look: / : /^Drift or failure: /);
  });
});
