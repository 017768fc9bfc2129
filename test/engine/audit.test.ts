import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AuditReport } from "../../audit/report/report.js";
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

  function audit(cwd: string, args: string[], changes: Record<string, string> = {}) {
    return runCommand(cwd, ["audit", ...args], changes);
  }

  /** Runs the command in a folder, with a Pulumi CLI on PATH and the backend of the project. */
  function runCommand(cwd: string, args: string[], changes: Record<string, string> = {}) {
    const bin = join(engine.workbench.directory, "node_modules/.bin/pulumi-project-service");
    const env = {
      ...process.env,
      ...project.environment,
      ...changes,
    };
    return resultOf(run(bin, args, { cwd, env }));
  }

  /** Makes a Pulumi project with a selected stack. */
  async function selectedProject(name: string): Promise<Project> {
    const selected = await engine.workbench.project(name, { program: "" });
    await selected.succeed("stack", "select");
    return selected;
  }

  async function emptyFolder(name: string): Promise<string> {
    const directory = join(engine.workbench.directory, name);
    await mkdir(directory);
    return directory;
  }

  it("reads the settings of the selected stack, decrypts the password, and prints no secret", async () => {
    const { code, stdout, stderr } = await audit(project.directory, []);
    assert.deepEqual([code, stderr], [1, ""]);
    assert.match(stdout, /12 projects audited, 2 without findings: 22 violated\./);
    assertHoldsNone("stdout", stdout, engine.secrets());
  });

  it("reads the settings of a named stack in another folder", async () => {
    const elsewhere = await emptyFolder("elsewhere");
    const args = [
      "--stack",
      "test",
      "--cwd",
      project.directory,
      "--format",
      "json",
      "--output",
      "audit.json",
    ];
    const { code } = await audit(elsewhere, args);
    assert.equal(code, 1);
    const report = JSON.parse(await readFile(join(elsewhere, "audit.json"), "utf8")) as AuditReport;
    assert.equal(report.summary.violated, 22);
    assert.equal(report.service, `${engine.sandbox.connection.baseUrl}/api/project/v5`);
  });

  it("exits with 2 and shows the error of Pulumi if the config cannot be read", async () => {
    const grants = engine.sandbox.counters.passwordGrants;
    const wrong = { PULUMI_CONFIG_PASSPHRASE: "another passphrase" };
    const other = await audit(project.directory, [], wrong);
    assert.deepEqual([other.code, other.stdout], [2, ""]);
    assert.match(other.stderr, /^Reading the config in .* failed: Pulumi says ".*passphrase/);
    const none = await audit(project.directory, ["--stack", "none"]);
    assert.deepEqual([none.code, none.stdout], [2, ""]);
    assert.match(none.stderr, /^Reading the config of stack none in .*no stack named 'none' found/);
    assert.doesNotMatch(other.stderr + none.stderr, /^ +at /m);
    assert.equal(engine.sandbox.counters.passwordGrants, grants);
  });

  it("read the settings of another config namespace, to which the environment does not apply", async () => {
    const second = await selectedProject("second");
    await second.setConfig(configOf({ ...engine.sandbox.connection }, "second"));
    for (const command of ["audit", "check"]) {
      const args = [command, "--connection", "second"];
      const { code, stdout } = await runCommand(second.directory, args, second.environment);
      assert.equal(code, command === "audit" ? 1 : 0);
      assert.match(stdout, /12 projects/);
    }
  });
});
