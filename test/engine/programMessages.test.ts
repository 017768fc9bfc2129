import assert from "node:assert/strict";
import { programImports, useEngine } from "../support/engineTest.js";
import { configOf, type Project } from "../support/workbench.js";

describe("programs with messages for the user, on the real engine", () => {
  const engine = useEngine({ sandboxFor: "test" });

  /** Runs an update that must fail, and returns its diagnostics. */
  async function failedUp(project: Project): Promise<string> {
    const { code, stdout, stderr } = await project.cli("up", "--yes", "--skip-preview");
    assert.notEqual(code, 0);
    // The text before is the progress, which shows each message once already.
    const [, diagnostics] = (stdout + stderr).split("Diagnostics:");
    assert.ok(diagnostics, stdout + stderr);
    return diagnostics;
  }

  /** Checks that a message comes without texts of Node: stack traces, warnings and so on. */
  function assertReadable(printed: string, message: RegExp): void {
    assert.match(printed, message);
    assert.doesNotMatch(printed, /^\s+at .+:\d+:\d+\)?$/m, "no stack trace");
    assert.doesNotMatch(printed, /unhandledRejection|Warning:|DeprecationWarning|node:internal/i);
  }

  it("name all missing settings in one message, without a stack trace", async () => {
    const project = await engine.workbench.project("unconfigured", {
      program: `${programImports}
export const webroot = projectService.getProjectOutput({ name: "shop" }).environments[0].webroot;
export const count = projectService.getProjectsOutput().projects.length;
`,
    });
    const { baseUrl: _, password: __, ...rest } = engine.sandbox.connection;
    await project.setConfig(configOf(rest));
    const printed = await failedUp(project);
    assertReadable(printed, /pulumi config set project-service:baseUrl <value>/);
    assert.match(printed, /pulumi config set --secret project-service:password /);
    assert.equal(printed.match(/baseUrl is missing/g)?.length, 1, printed);
    assert.doesNotMatch(printed, /authUrl is missing/);
  });

  it("work with a password in plain config and an unknown key, and warn once of each", async () => {
    const project = await engine.workbench.project("plain", {
      program: `${programImports}
export const shop = projectService.getProjectOutput({ name: "shop" }).name;
export const blog = projectService.getProjectOutput({ name: "blog" }).name;
`,
    });
    await project.configure(engine.sandbox, { timeoutSecs: "3" });
    const { password } = engine.sandbox.connection;
    await project.setConfig({ "project-service:password": { value: password } });
    const [, diagnostics = ""] = (await project.succeed("preview")).split("Diagnostics:");
    for (const warning of [
      /pulumi config set --secret project-service:password/g,
      /project-service:timeoutSecs in the stack config is not a setting.*timeoutSeconds\?/g,
    ]) {
      assert.equal(diagnostics.match(warning)?.length, 1, diagnostics);
    }
  });

  it("fail with one message for each failed read while a slow export is awaited", async () => {
    const project = await engine.workbench.project("slow", {
      program: `${programImports}
const { getProject, getProjectOutput, ProjectSnapshot } = projectService;
export const slow = new Promise((resolve) => setTimeout(() => resolve("done"), 1_000));
export const promise = getProject({ name: "first" });
export const list = [1, 2].map(() => getProjectOutput({ name: "second" }).domain);
export const { domain } = new ProjectSnapshot("third", { name: "third" });
`,
    });
    await project.configure(engine.sandbox);
    const printed = await failedUp(project);
    for (const name of ["first", "second", "third"]) {
      const message = `[NOT_FOUND]: There is no project named "${name}".`;
      assert.equal(printed.split(message).length - 1, 1, printed);
    }
  });
});
