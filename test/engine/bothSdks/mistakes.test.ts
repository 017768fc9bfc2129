import assert from "node:assert/strict";
import { programImports, useEngine } from "../../support/engineTest.js";
import { assertHoldsNone } from "../../support/leakSearch.js";

/** The mistakes that a newcomer makes, and what Pulumi prints then. */
describe("a newcomer's mistake on the real engine", () => {
  const engine = useEngine({ sandboxFor: "test" });

  async function printedBy(
    name: string,
    program: string,
    config: Record<string, string> = {},
  ): Promise<{ code: number; printed: string }> {
    const project = await engine.workbench.project(name, { program: programImports + program });
    await project.configure(engine.sandbox, config);
    const { code, stdout, stderr } = await project.cli("up", "--yes", "--skip-preview");
    const printed = stdout + stderr;
    assertHoldsNone("the output", printed, engine.secrets());
    return { code, printed };
  }

  for (const [what, name, expression] of [
    ["a template literal", "template", "`mysql://${live.databases[0].password}@db`"],
    ["JSON.stringify", "json", "JSON.stringify(live)"],
    ["encodeURIComponent", "encoded", "encodeURIComponent(live.databases[0].username as any)"],
    ["Buffer.from", "base64", 'Buffer.from(live.databases[0].password as any).toString("base64")'],
    ["new Uint8Array", "bytes", "new Uint8Array(live.databases[0].password as any).length"],
  ] as const) {
    it(`to use a credential in ${what} fails, and names the line and what to write`, async () => {
      const { code, printed } = await printedBy(
        name,
        `const args = { name: "shop", environmentId: "live" };
export const text = projectService.getEnvironmentOutput(args).apply((live) => ${expression});
`,
      );
      assert.notEqual(code, 0, printed);
      assert.match(printed, /ARGUMENT_INVALID.*(username|password) is a secret Output/);
      assert.match(printed, /pulumi\.interpolate.*\(index\.ts:4\)/);
      assert.doesNotMatch(printed, /Calling \[to/);
    });
  }

  it("in an argument is named with code, file and line", async () => {
    const { code, printed } = await printedBy(
      "argument",
      `
export const project = projectService.getProjectsOutput({
  filters: [{ key: "name", values: "shop" as never }],
}).projects;
`,
    );
    assert.notEqual(code, 0);
    assert.match(
      printed,
      /ARGUMENT_INVALID.*filters\[0\]\.values of getProjectsOutput must be a list/,
    );
    assert.match(printed, /\(index\.ts:4\)/);
  });

  it("in a config key is a warning, and the program works", async () => {
    const { code, printed } = await printedBy(
      "config",
      `export const { domain } = projectService.getProjectOutput({ name: "shop" });\n`,
      { timeoutSecs: "3" },
    );
    assert.equal(code, 0, printed);
    const warning =
      /project-service:timeoutSecs in the stack config is not a setting.*timeoutSeconds\?/g;
    // Once in the progress, once in the diagnostics.
    assert.equal(printed.match(warning)?.length, 2, printed);
  });

  it("inside a resource's input is named with project and place", async () => {
    engine.sandbox.forbiddenProjectIds.add("p-1");
    const { code, printed } = await printedBy(
      "input",
      `new pulumi.Stash("app", {
  input: projectService.getProjectOutput({ projectId: "p-1" }).domain,
});
`,
    );
    assert.notEqual(code, 0);
    assert.match(printed, /Reading project p-1 failed: .*403.*\(index\.ts:\d+\)/);
  });

  it("to leave a deleted project in the program fails, and says what to do", async () => {
    engine.sandbox.projects.splice(0, 1);
    const { code, printed } = await printedBy(
      "deleted",
      `export const { domain } = projectService.getProjectOutput({ projectId: "p-1" });\n`,
    );
    assert.notEqual(code, 0);
    assert.match(printed, /NOT_FOUND.*restore it there or remove it from the program/);
  });

  const read = 'Output({ name: "shop", environmentId: "live", databaseName: "nope" })';
  for (const [use, name, expression] of [
    [
      "databaseUrl",
      "url",
      'projectService.databaseUrl(database, { protocol: "mysql", host: "h" })',
    ],
    ["pulumi.interpolate", "text", "pulumi.interpolate`${database.username}:${database.password}`"],
    [
      "pulumi.jsonStringify",
      "stringified",
      "pulumi.jsonStringify({ u: database.username, p: database.password })",
    ],
  ] as const) {
    it(`in an argument ends the program, even if the result goes to ${use}`, async () => {
      const { code, printed } = await printedBy(
        `combined-${name}`,
        `const database = projectService.getDatabase${read};
export const result = ${expression};
`,
      );
      assert.notEqual(code, 0);
      assert.match(printed, /\[NOT_FOUND\].* has no database "nope"\. Its databases are shop_live/);
    });
  }
});
