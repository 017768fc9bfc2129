import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type FleetServer, startFleetServer } from "../support/fleetServer.js";
import { codeBlocks } from "../support/markdown.js";
import { repository } from "../support/paths.js";
import { configOf, type Project, useWorkbench } from "../support/workbench.js";

describe("the loop of the reference on the real engine", () => {
  let server: FleetServer;
  let project: Project;
  let program: string;

  const setProgram = (text: string) => writeFile(join(project.directory, "index.ts"), text);
  const madeResources = async () =>
    (await project.resources()).map(({ urn }) => urn).filter((urn) => urn.includes(":Stash::"));

  before(async function () {
    const workbench = await useWorkbench(this);
    server = await startFleetServer();
    const reference = await readFile(join(repository, "docs/reference.md"), "utf8");
    program = codeBlocks(reference).find(({ file }) => file === "loop.ts")?.text ?? assert.fail();
    project = await workbench.project("loop", { program });
    await project.setConfig(configOf(server.connection));
    begin();
    await project.succeed("up", "--yes", "--skip-preview");
    assert.equal((await madeResources()).length, 5);
  });
  beforeEach(begin);

  function begin(): void {
    server.reset();
    for (const each of server.projects) each.type = "TYPO3";
  }

  async function assertNothingIsDeleted(text: string, message: RegExp): Promise<void> {
    await setProgram(text);
    const { code, stdout, stderr } = await project.cli("up", "--yes", "--skip-preview");
    assert.notEqual(code, 0, stdout);
    assert.match(stdout + stderr, message);
    assert.equal((await madeResources()).length, 5);
  }

  it("deletes nothing for a filter value in another case", async () => {
    // On Node 20, Pulumi takes up to 30 s to color the stack frames of an error that ends a program.
    const text = `Error.stackTraceLimit = 0;\n${program}`.replace('"TYPO3"', '"typo3"');
    await assertNothingIsDeleted(text, /No project has type "typo3"\. Did you mean "TYPO3"\?/);
  });

  it("deletes nothing if the service omits projects, also after a program that failed", async () => {
    await assertNothingIsDeleted(`${program}\nthrow new Error("halfway");`, /halfway/);
    server.unlisted.add("p-4").add("p-5");
    await assertNothingIsDeleted(
      program,
      /LIST_INCOMPLETE: The record is unchanged.* lacks 2 of 5 recorded projects/,
    );
  });

  it("deletes the resource of a deleted project only", async () => {
    server.projects.pop();
    await assertNothingIsDeleted(program, /protected/);
    const urn = (await madeResources()).find((each) => each.endsWith("::p-5")) ?? assert.fail();
    await project.succeed("state", "unprotect", "--yes", urn);
    assert.match(await project.succeed("up", "--yes", "--skip-preview"), /- 1 deleted/);
    assert.equal((await madeResources()).length, 4);
  });
});
