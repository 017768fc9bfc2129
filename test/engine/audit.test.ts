import assert from "node:assert/strict";
import { join } from "node:path";
import { useEngine } from "../support/engineTest.js";
import { assertHoldsNone } from "../support/leakSearch.js";
import { configOf, type Project, resultOf, run } from "../support/workbench.js";

describe("pulumi-project-service audit and check, installed from the packed tarball", () => {
  const engine = useEngine({ sandboxFor: "suite" });
  let project: Project;
  before(async () => {
    project = await selectedProject("audited");
    await project.configure(engine.sandbox);
  });

  /** Runs the command in a folder, with a Pulumi CLI on PATH and the backend of the project. */
  function runCommand(cwd: string, args: string[], changes: Record<string, string> = {}) {
    const bin = join(engine.workbench.directory, "node_modules/.bin/pulumi-project-service");
    const env = { ...process.env, ...project.environment, ...changes };
    return resultOf(run(bin, args, { cwd, env }));
  }

  /** Makes a Pulumi project with a selected stack. */
  async function selectedProject(name: string): Promise<Project> {
    const selected = await engine.workbench.project(name, { program: "" });
    await selected.succeed("stack", "select");
    return selected;
  }

  it("reads the settings of the selected stack, decrypts the password, and prints no secret", async () => {
    const { code, stdout, stderr } = await runCommand(project.directory, ["audit"]);
    assert.deepEqual([code, stderr], [1, ""]);
    assert.match(
      stdout,
      /12 projects audited, \d without findings. Findings: \d+ violated, 1 undecided\./,
    );
    assertHoldsNone("stdout", stdout, engine.secrets());
  });

  it("exits with 2 and shows the error of Pulumi if the config cannot be read", async () => {
    const grants = engine.sandbox.counters.passwordGrants;
    const wrong = { PULUMI_CONFIG_PASSPHRASE: "another passphrase" };
    const other = await runCommand(project.directory, ["audit"], wrong);
    assert.deepEqual([other.code, other.stdout], [2, ""]);
    assert.match(
      other.stderr,
      /^pulumi config in .* failed: Pulumi says ".*passphrase"\. Check PULUMI_CONFIG_PASSPHRASE/,
    );
    const none = await runCommand(project.directory, ["audit", "--stack", "none"]);
    assert.deepEqual([none.code, none.stdout], [2, ""]);
    assert.match(none.stderr, /^pulumi config --stack none in .*no stack named 'none' found/);
    assert.doesNotMatch(other.stderr + none.stderr, /^ +at /m);
    assert.equal(engine.sandbox.counters.passwordGrants, grants);
  });

  it("read a named stack and another config namespace from elsewhere", async () => {
    const second = await selectedProject("second");
    await second.setConfig(configOf({ ...engine.sandbox.connection }, "second"));
    const place = ["--stack", "test", "--cwd", second.directory, "--connection", "second"];
    for (const [command, code] of [
      ["audit", 1],
      ["check", 0],
    ] as const) {
      const elsewhere = engine.workbench.directory;
      const result = await runCommand(elsewhere, [command, ...place], second.environment);
      assert.equal(result.code, code, result.stderr);
      assert.match(result.stdout, /12 projects/);
    }
  });
});
