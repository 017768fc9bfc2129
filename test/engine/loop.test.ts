import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { codeBlocks } from "../support/markdown.js";
import { repository } from "../support/paths.js";
import {
  connectionTo,
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from "../support/scriptedServer.js";
import { sampleProjects } from "../support/testSandbox.js";
import { configOf, type Project, useWorkbench } from "../support/workbench.js";

describe("the loop of the reference on the real engine", () => {
  const served = sampleProjects().slice(0, 4);
  let server: ScriptedServer;
  let project: Project;
  let program: string;
  /** Responds to the read of p-2. */
  let respond: (response: ServerResponse) => void;

  const setProgram = (text: string) => writeFile(join(project.directory, "index.ts"), text);
  const madeResources = async () =>
    (await project.resources()).map(({ urn }) => urn).filter((urn) => urn.includes(":Stash::"));
  const skipping = () =>
    program.replace("details: true,", 'details: true, onInaccessible: "skip",');

  before(async function () {
    const workbench = await useWorkbench(this);
    server = await startScriptedServer();
    for (const each of served) each.type = "TYPO3";
    server.respond = ({ url = "" }, response) => {
      const id = url.split("/").at(-1);
      const read = served.find(({ _id }) => _id === id);
      if (id === "token") sendJson(response, 200, { access_token: "t" });
      else if (read === undefined) {
        sendJson(response, 200, { _embedded: { projectResources: served } });
      } else if (id === "p-2") respond(response);
      else sendJson(response, 200, read);
    };
    respond = (response) => sendJson(response, 200, served[1]);
    const reference = await readFile(join(repository, "docs/reference.md"), "utf8");
    program = codeBlocks(reference).find(({ file }) => file === "loop.ts")?.text ?? assert.fail();
    project = await workbench.project("loop", { program });
    await project.setConfig(configOf(connectionTo(server.url)));
    await project.succeed("up", "--yes", "--skip-preview");
    assert.equal((await madeResources()).length, 4);
  });

  async function assertNothingIsDeleted(text: string, message: RegExp): Promise<void> {
    await setProgram(text);
    const { code, stdout, stderr } = await project.cli("up", "--yes", "--skip-preview");
    assert.notEqual(code, 0, stdout);
    assert.match(stdout + stderr, message);
    assert.equal((await madeResources()).length, 4);
  }

  const filterCases = [
    ["in other letters", "typo3", /the value typo3 of the filter type.* TYPO3\./],
    ["that matches nothing", "TYPO4", /The values of type are TYPO3\.[^]*No project matches\./],
  ] as const;
  for (const [what, value, message] of filterCases) {
    it(`deletes nothing for a filter value ${what}`, async () => {
      // On Node 20, Pulumi takes up to 30 s to color the stack frames of an error that ends a program.
      const text = `Error.stackTraceLimit = 0;\n${program}`.replace('"TYPO3"', `"${value}"`);
      await assertNothingIsDeleted(text, message);
    });
  }

  it("deletes nothing after a 403, although others can be read", async () => {
    respond = (response) => sendJson(response, 403, {});
    await assertNothingIsDeleted(program, /FORBIDDEN[^]*onInaccessible: "skip"[^]*Pulumi deletes/);
  });

  it("deletes nothing with skip after a redirect and after a change of the protocol", async () => {
    respond = (response) => response.writeHead(302, { location: "/" }).end();
    await assertNothingIsDeleted(skipping(), /a redirect/);
    const upgrade =
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n";
    respond = (response) => response.socket?.end(upgrade);
    await assertNothingIsDeleted(skipping(), /not valid HTTP \(UNEXPECTED_UPGRADE\)/);
  });

  it("deletes with skip what it made for a project that breaks the contract, and says so", async () => {
    respond = (response) => sendJson(response, 200, { ...served[1], codeRepository: "none" });
    await setProgram(skipping());
    const printed = await project.succeed("up", "--yes", "--skip-preview");
    assert.match(printed, /- 1 deleted/);
    assert.match(
      printed,
      /Left out 1 of 4 projects: p-2 \(RESPONSE_INVALID\)\. What this program makes for them is deleted\./,
    );
  });
});
