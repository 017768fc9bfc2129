import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type FleetServer, page, startFleetServer } from "../support/fleetServer.js";
import { sendJson } from "../support/scriptedServer.js";
import { configOf, type Project, useWorkbench } from "../support/workbench.js";

/** Creates a resource for each listed project, and one for a project that need not exist. */
const program = `
import * as pulumi from "@pulumi/pulumi";
import { getProject, getProjects } from "pulumi-project-service";

Error.stackTraceLimit = 0;
export = async () => {
  const { projects } = await getProjects();
  for (const { projectId } of projects) new pulumi.Stash(projectId, { input: projectId });
  const shop = await getProject({ projectId: "p-1" }).catch((error) => {
    if (error.code === "NOT_FOUND") return undefined;
    throw error;
  });
  if (shop !== undefined) new pulumi.Stash("domain", { input: shop.domain });
};
`;

describe("responses that look like a deletion, on the real engine", () => {
  let server: FleetServer;
  let project: Project;

  const madeResources = async () =>
    (await project.resources()).map(({ urn }) => urn).filter((urn) => urn.includes(":Stash::"));

  before(async function () {
    const workbench = await useWorkbench(this);
    server = await startFleetServer();
    project = await workbench.project("misleading", { program });
    await project.setConfig(configOf(server.connection));
    await project.succeed("up", "--yes", "--skip-preview");
    assert.equal((await madeResources()).length, 6);
  });
  beforeEach(() => server.reset());

  async function assertNothingIsDeleted(message: RegExp): Promise<void> {
    await writeFile(join(project.directory, "index.ts"), program);
    const { code, stdout, stderr } = await project.cli("up", "--yes", "--skip-preview");
    assert.notEqual(code, 0, stdout);
    assert.match(stdout + stderr, message);
    assert.equal((await madeResources()).length, 6);
  }

  for (const status of [403, 404]) {
    it(`delete nothing: a page of a gateway with ${status} for a project that need not exist`, async () => {
      server.reads.set("p-1", page(status));
      await assertNothingIsDeleted(/RESPONSE_INVALID.*a gateway sent a page \(status 40[34]\)/);
    });
  }

  for (const [what, body] of [
    ["an error with status 200", { error: "Internal", _links: { self: { href: "/" } } }],
    ["the entry point of HAL", { _links: { projects: { href: "/api/project/v5/projects" } } }],
    ["a single project", { _id: "p-1", name: "shop", _links: { self: { href: "/" } } }],
  ] as const) {
    it(`delete nothing: ${what} in place of the list`, async () => {
      server.reads.set("projects", (response) => sendJson(response, 200, body));
      await assertNothingIsDeleted(/RESPONSE_INVALID.*_embedded is missing/);
    });
  }
});
