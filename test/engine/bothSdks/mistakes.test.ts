import assert from "node:assert/strict";
import { programImports, useEngine } from "../../support/engineTest.js";
import { configOf, type Project } from "../../support/workbench.js";

/** The mistakes that a newcomer makes, and what Pulumi prints then. */
describe("a newcomer's mistake on the real engine", () => {
  const engine = useEngine({ sandboxFor: "test" });

  /** Runs an update that must fail. Returns its diagnostics: before them, the progress shows each message too. */
  async function failedUp(project: Project): Promise<string> {
    const printed = await project.failUp();
    const [, diagnostics] = printed.split("Diagnostics:");
    return diagnostics ?? assert.fail(printed);
  }

  it("to use a credential as text, or to read what the service does not show, has one message with the line and what to write", async () => {
    engine.sandbox.forbiddenProjectIds.add("p-1");
    const program = `
const { databaseUrl, getDatabaseOutput, getEnvironmentOutput, getProject, getProjectOutput } = projectService;
const live = { name: "blog", environmentId: "live" };
export const text = getEnvironmentOutput(live).apply((live) => {
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
new pulumi.Stash("app", { input: getProjectOutput({ projectId: "p-1" }).domain });
export const { domain } = getProjectOutput({ projectId: "deleted" });
const database = getDatabaseOutput({ ...live, databaseName: "nope" });
export const url = databaseUrl(database, { protocol: "mysql", host: "h" });
const nothing = pulumi.output(undefined) as unknown as pulumi.Output<string>;
new ProjectSnapshot("nothing", { projectId: nothing });
export const slow = new Promise((resolve) => setTimeout(() => resolve("done"), 1_000));
export const promise = getProject({ name: "first" });
export const list = [1, 2].map(() => getProjectOutput({ name: "second" }).domain);
export const snapshot = new ProjectSnapshot("third", { name: "third" }).domain;
`;
    const lines = (programImports + program).split("\n");
    const lineOf = (text: string) => lines.findIndex((line) => line.includes(text)) + 1;
    const printed = await failedUp(await engine.stack("mistakes", program));
    for (const [what, text] of [
      ["refused: .* is a secret Output.*pulumi\\.interpolate", "JSON.stringify(live)"],
      ["refused: .* is a secret Output.*pulumi\\.interpolate", "encodeURIComponent(user"],
      ["refused: .* is a secret Output.*pulumi\\.interpolate", "Buffer.from(pass"],
      ["refused: .* is a secret Output.*pulumi\\.interpolate", "new Uint8Array(pass"],
      ["ARGUMENT_INVALID.* is a secret Output.*pulumi\\.interpolate", "mysql://"],
      ["Reading project p-1 failed: .*403", "new pulumi.Stash"],
      ["NOT_FOUND.*restore it there or remove it from the program", '"deleted"'],
      ["NOT_FOUND.* has no database .nope.\\. Known databases: wordpress_live", '"nope"'],
      [
        "ARGUMENT_INVALID.*: Pass either projectId or name to ProjectSnapshot\\. One of them must not be undefined",
        '"nothing"',
      ],
    ] as const) {
      assert.match(printed, new RegExp(`${what}.*\\(index\\.ts:${lineOf(text)}\\)`));
    }
    assert.doesNotMatch(printed, /Calling \[to/);
    for (const name of ["first", "second", "third"]) {
      const message = `[NOT_FOUND]: There is no project named "${name}".`;
      assert.equal(printed.split(message).length - 1, 1, printed);
    }
  });

  it("to set nothing names all missing settings in one message, without a stack trace", async () => {
    const project = await engine.stack(
      "unconfigured",
      `
export const webroot = projectService.getProjectOutput({ name: "shop" }).environments[0].webroot;
export const count = projectService.getProjectsOutput().projects.length;
`,
    );
    await project.setConfig({
      "project-service:baseUrl": undefined,
      "project-service:password": undefined,
    });
    const printed = await failedUp(project);
    assert.match(printed, /pulumi config set project-service:baseUrl <value>/);
    assert.match(printed, /pulumi config set --secret project-service:password /);
    assert.equal(printed.match(/baseUrl is missing/g)?.length, 1, printed);
    assert.doesNotMatch(printed, /authUrl is missing/);
    assert.doesNotMatch(printed, /^\s+at .+:\d+:\d+\)?$/m, "no stack trace");
    assert.doesNotMatch(printed, /unhandledRejection|Warning:|DeprecationWarning|node:internal/i);
  });

  it("to set a password in plain text, or an unknown key, has one warning, and a wrong password of a second service one error", async () => {
    const project = await engine.stack(
      "second-service",
      `
export const shop = projectService.getProjectOutput({ name: "shop" }).name;
export const blog = projectService.getProjectOutput({ name: "blog" }).name;
export const { domain } = projectService.getProjectOutput({ name: "shop" }, { connection: "second" });
`,
    );
    const { connection } = engine.sandbox;
    await project.setConfig({
      ...configOf({ ...connection, password: "wr0ng-p4ssword" }, "second"),
      "project-service:password": { value: connection.password },
      "project-service:timeoutSecs": { value: "3" },
    });
    const printed = await failedUp(project);
    for (const message of [
      /pulumi config set --secret project-service:password/g,
      /project-service:timeoutSecs in the stack config is not a setting.*timeoutSeconds\?/g,
      /\[LOGIN_REJECTED\]/g,
    ]) {
      assert.equal(printed.match(message)?.length, 1, printed);
    }
  });
});
