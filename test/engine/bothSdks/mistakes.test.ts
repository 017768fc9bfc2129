import assert from "node:assert/strict";
import { programImports, useEngine } from "../../support/engineTest.js";
import { assertHoldsNone } from "../../support/leakSearch.js";

/** The mistakes that a newcomer makes, and what Pulumi prints then. */
describe("a newcomer's mistake on the real engine", () => {
  const engine = useEngine({ sandboxFor: "test" });

  async function printedBy(name: string, program: string) {
    const project = await engine.workbench.project(name, { program: programImports + program });
    await project.configure(engine.sandbox);
    const { code, stdout, stderr } = await project.cli("up", "--yes", "--skip-preview");
    const printed = stdout + stderr;
    assertHoldsNone("the output", printed, engine.secrets());
    return { code, printed };
  }

  it("to use a credential as text or bytes fails, and names the line and what to write", async () => {
    const { code, printed } = await printedBy(
      "as-text",
      `const args = { name: "shop", environmentId: "live" };
projectService.getEnvironmentOutput(args).apply((live) => {
  const [{ username, password }] = live.databases as any;
  for (const use of [
    () => JSON.stringify(live),
    () => encodeURIComponent(username),
    () => Buffer.from(password).toString("base64"),
    () => new Uint8Array(password).length,
  ]) {
    try {
      console.log(use());
    } catch (error) {
      console.log("refused: " + error.message);
    }
  }
  return \`mysql://\${password}@db\`;
});
`,
    );
    assert.notEqual(code, 0, printed);
    for (const [line, what] of [
      [7, "refused"],
      [8, "refused"],
      [9, "refused"],
      [10, "refused"],
      [18, "ARGUMENT_INVALID"],
    ] as const) {
      const message = `${what}.* is a secret Output.*pulumi\\.interpolate.*\\(index\\.ts:${line}\\)`;
      assert.match(printed, new RegExp(message));
    }
    assert.doesNotMatch(printed, /Calling \[to/);
  });

  it("to read what the service does not show, or an undefined project, says what to do, wherever the result goes", async () => {
    engine.sandbox.forbiddenProjectIds.add("p-1");
    const { code, printed } = await printedBy(
      "reads",
      `
new pulumi.Stash("app", {
  input: projectService.getProjectOutput({ projectId: "p-1" }).domain,
});
export const { domain } = projectService.getProjectOutput({ projectId: "deleted" });
const database = projectService.getDatabaseOutput({
  name: "blog", environmentId: "live", databaseName: "nope",
});
export const url = projectService.databaseUrl(database, { protocol: "mysql", host: "h" });
const missing = pulumi.output(undefined) as unknown as pulumi.Output<string>;
new projectService.ProjectSnapshot("missing", { projectId: missing });
`,
    );
    assert.notEqual(code, 0);
    for (const message of [
      /Reading project p-1 failed: .*403.*\(index\.ts:5\)/,
      /NOT_FOUND.*restore it there or remove it from the program.*\(index\.ts:7\)/,
      /\[NOT_FOUND\].* has no database "nope"\. Known databases: wordpress_live/,
      /\[ARGUMENT_INVALID\]: Pass either projectId or name to ProjectSnapshot\. One of them must not be undefined\. \(index\.ts:13\)\n/,
    ]) {
      assert.match(printed, message);
    }
  });
});
