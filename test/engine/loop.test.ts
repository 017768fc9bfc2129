import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type FleetServer, startFleetServer } from "../support/fleetServer.js";
import { codeBlocks } from "../support/markdown.js";
import { repository } from "../support/paths.js";
import { sendJson } from "../support/scriptedServer.js";
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
    await project.succeed("up", "--yes");
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

  /** Makes an older server respond to the read of p-2, whose response lacks something. */
  function omit(key: "type" | "projectEnvironments"): void {
    const { [key]: _, ...older } = server.projects[1]!;
    server.reads.set("p-2", (response) => sendJson(response, 200, older));
    if (key === "type") server.listForms.set("p-2", { ...older, type: null });
  }

  const filterCases = [
    ["in other letters", "typo3", /the value typo3 of the filter type.* TYPO3\./],
    ["that matches nothing", "TYPO4", /The values of type are TYPO3\./],
  ] as const;
  for (const [what, value, message] of filterCases) {
    it(`deletes nothing for a filter value ${what}`, async () => {
      // On Node 20, Pulumi takes up to 30 s to color the stack frames of an error that ends a program.
      const text = `Error.stackTraceLimit = 0;\n${program}`.replace('"TYPO3"', `"${value}"`);
      await assertNothingIsDeleted(text, message);
    });
  }

  it("deletes nothing after a 403, although others can be read", async () => {
    server.reads.set("p-2", (response) => sendJson(response, 403, {}));
    await assertNothingIsDeleted(program, /FORBIDDEN[^]*1 of 5 projects failed: p-2/);
  });

  it("deletes nothing if the service omits projects, also after a program that failed", async () => {
    await assertNothingIsDeleted(`${program}\nthrow new Error("halfway");`, /halfway/);
    server.unlisted.add("p-4").add("p-5");
    await assertNothingIsDeleted(program, /LIST_INCOMPLETE: Missing: 2 of 5 known projects/);
  });

  it("deletes nothing if an older server omits the field of the filter, and fails", async () => {
    omit("type");
    await assertNothingIsDeleted(program, /RESPONSE_INVALID[^]*it lacks type, by which a filter/);
  });

  it("deletes nothing if the list has null for the field of the filter", async () => {
    server.listForms.set("p-2", { ...server.projects[1], type: null });
    await setProgram(program);
    for (const command of ["up", "refresh"]) {
      await project.succeed(command, "--yes", "--skip-preview");
    }
    assert.equal((await madeResources()).length, 5);
  });

  it("deletes nothing if an older server omits the environments", async () => {
    omit("projectEnvironments");
    const message =
      /RESPONSE_INVALID: Missing: parts of 1 recorded project, .* as null: p-2 \(environments\)/;
    await assertNothingIsDeleted(program, message);
    const { code, stdout } = await project.cli("refresh", "--yes", "--skip-preview");
    assert.notEqual(code, 0);
    assert.match(stdout, /Missing: parts of 1 [^]*p-2 \(environments\)/);
  });

  it("deletes the resource of a deleted project only", async () => {
    server.projects.pop();
    await setProgram(program);
    assert.match(await project.succeed("up", "--yes", "--skip-preview"), /- 1 deleted/);
    assert.equal((await madeResources()).length, 4);
  });
});
