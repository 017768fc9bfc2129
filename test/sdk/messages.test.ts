import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect, promisify } from "node:util";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { repository } from "../support/paths.js";
import { sampleProjects, startSandbox } from "../support/testSandbox.js";

describe("the calls of a program", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "call-place-"));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(repository, join(folder, "node_modules/pulumi-project-service"), "dir");
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Runs the lines of a program. Returns what it prints. */
  async function run(...lines: string[]): Promise<string> {
    const file = join(folder, "program.js");
    writeFileSync(file, lines.join("\n"));
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { cwd: folder });
    return stdout + stderr;
  }

  const wrongCalls = {
    getProject: "getProject({})",
    getProjects: "getProjects({ filter: [] })",
    getEnvironmentOutput: "getEnvironmentOutput({ name: 5 })",
    ProjectSnapshot: 'new ProjectSnapshot("a", { nmae: "a" })',
    ProjectsSnapshot: 'new ProjectsSnapshot("a", { fields: ["stauts"] })',
    databaseUrl: 'databaseUrl({}, { protocol: "mysql", host: "h" })',
    pipelineOutputs: "pipelineOutputs(5)",
  };
  const names = Object.keys(wrongCalls);

  it(`are named by file and line in errors about arguments: ${names.join(", ")}`, async () => {
    const printed = await run(
      `const { ${names.join(", ")} } = require("pulumi-project-service");`,
      ...Object.values(wrongCalls).map(
        (call) => `(async () => ${call})().catch(({ message }) => console.log(message));`,
      ),
    );
    for (const [index, name] of names.entries()) {
      const message = new RegExp(`${name}.*\\(program\\.js:${index + 2}\\)$`, "m");
      assert.match(printed, message);
    }
  });

  const deployed = '{ key: "status", values: ["DEPLOYED"] }';
  const mistyped = '{ key: "environments.databases.databaseType", values: ["MYSLQ"] }';
  const unknown = '{ key: "status", values: ["ACTIVE"] }';
  const secret = '{ key: "status", values: [pulumi.secret("c4nary")] }';
  const filteredCalls = {
    "a value that no project has": `getProjects({ filters: [${unknown}] }, opts)`,
    "one of two, with details": `getProjects({ details: true, filters: [${mistyped}, ${deployed}] }, opts)`,
    "a secret value": `getProjectsOutput({ filters: [${secret}] }, opts)`,
    "a value that projects have": `getProjects({ filters: [${deployed}] }, opts)`,
  };

  it("warn of filters that leave no project, and show no secret value", async () => {
    const sandbox = await startSandbox();
    const printed = await run(
      `const pulumi = require(${JSON.stringify(`${repository}/node_modules/@pulumi/pulumi`)});`,
      'const { getProjects, getProjectsOutput } = require("pulumi-project-service");',
      `const opts = { connection: ${JSON.stringify(sandbox.connection)} };`,
      ...Object.entries(filteredCalls).map(
        ([title, call]) =>
          `pulumi.output(${call}).projects.apply(({ length }) => console.log("${title}:", length));`,
      ),
    );
    sandbox.projects = [];
    const unseen = await run(
      'const { getProjects } = require("pulumi-project-service");',
      `void getProjects({}, { connection: ${JSON.stringify(sandbox.connection)} });`,
    );
    await sandbox.close();
    assert.match(
      unseen,
      /warning: .*getProjects: The user in the setting username has access to no project\./,
    );
    const count = sampleProjects().filter(({ status }) => status === "DEPLOYED").length;
    for (const title of Object.keys(filteredCalls)) {
      const expected = title === "a value that projects have" ? count : 0;
      assert.match(printed, new RegExp(`^${title}: ${expected}$`, "m"));
    }
    const warnings = /^warning: .*getProjects: No project matches the filters\./gm;
    assert.equal(printed.match(warnings)?.length, 3, printed);
    assert.doesNotMatch(printed, /c4nary/);
  });
});

describe("an error that Pulumi's SDK has seen", () => {
  it("does not lead to the promise that the SDK attaches, which knows the stack's config", () => {
    const error = new ProjectServiceError("NOT_FOUND", "There is no project.");
    const promise = Object.assign(Promise.resolve(), { config: "c4nary" });
    (error as { promise?: unknown }).promise = promise;
    // Node prints the error that ends a process in this way.
    const printed = inspect(error, { customInspect: false, showHidden: true, depth: Infinity });
    assert.doesNotMatch(printed, /c4nary/);
  });
});
