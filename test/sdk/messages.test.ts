import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect, promisify } from "node:util";
import { startSandbox } from "../support/testSandbox.js";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { repository } from "../support/paths.js";

describe("an error about arguments", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "call-place-"));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(repository, join(folder, "node_modules/pulumi-project-service"), "dir");
  });
  after(() => rmSync(folder, { recursive: true }));

  function writeProgram(program: string): string {
    const file = join(folder, "program.js");
    writeFileSync(file, program);
    return file;
  }

  it("warn of filters that leave no project, and show no secret value", async () => {
    const sandbox = await startSandbox();
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [
        writeProgram(`
      const pulumi = require(${JSON.stringify(`${repository}/node_modules/@pulumi/pulumi`)});
      const { getProjects, getProjectsOutput } = require("pulumi-project-service");
      const opts = { connection: ${JSON.stringify(sandbox.connection)} };
      const where = (key, value) => [{ key, values: [value] }];
      (async () => {
        await getProjects({ filters: where("status", "ACTIVE") }, opts);
        await getProjects({ details: true, filters: [...where("environments.databases.databaseType", "MYSLQ"), ...where("status", "DEPLOYED")] }, opts);
        await getProjects({ filters: where("status", "DEPLOYED") }, opts);
        const { projects } = getProjectsOutput({ filters: where("status", pulumi.secret("c4nary")) }, opts);
        projects.apply(({ length }) => console.log(length, "projects"));
      })();`),
      ],
      { cwd: folder },
    );
    await sandbox.close();
    const printed = stdout + stderr;
    assert.equal(
      printed.match(/^warning: .*getProjects: No project matches the filters\./gm)?.length,
      3,
    );
    assert.match(printed, /^0 projects$/m);
    assert.doesNotMatch(printed, /c4nary/);
  });

  it("names the call of every function and resource", () => {
    const calls = [
      "getProject({})",
      "getProjects({ filter: [] })",
      "getEnvironmentOutput({ name: 5 })",
      'new ProjectSnapshot("a", { nmae: "a" })',
      'new ProjectsSnapshot("a", { fields: ["stauts"] })',
      'databaseUrl({}, { protocol: "mysql", host: "h" })',
      "pipelineOutputs(5)",
      'readPipelineOutputs({}, { project: "" })',
    ];
    const attempt = (call: string) =>
      `Promise.resolve().then(() => ${call.replace(/^(new )?/, "$1sdk.")}).catch(print);`;
    const file = writeProgram(`const sdk = require("pulumi-project-service");
const print = ({ message }) => console.log(message);
${calls.map(attempt).join("\n")}`);
    const printed = execFileSync(process.execPath, [file], { cwd: folder, encoding: "utf8" });
    const lines = [...printed.matchAll(/\(program\.js:(\d+)\)$/gm)].map(([, line]) => Number(line));
    assert.deepEqual(
      lines.toSorted((a, b) => a - b),
      calls.map((_, index) => index + 3),
      printed,
    );
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
