import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectsSnapshotType } from "../../provider/snapshot/resources.js";
import { type FleetServer, startFleetServer } from "../support/fleetServer.js";
import { codeBlocks } from "../support/markdown.js";
import { repository } from "../support/paths.js";
import { sendJson } from "../support/scriptedServer.js";
import { configOf, type Project, useWorkbench, type Workbench } from "../support/workbench.js";

const stash = "pulumi:index:Stash";

/** Makes a resource for each recorded project. */
const fleetProgram = (args = "") => `import * as pulumi from "@pulumi/pulumi";
import { ProjectSnapshot, ProjectsSnapshot } from "pulumi-project-service";
const fleet = new ProjectsSnapshot("fleet", { ${args} });
fleet.projects.apply((projects) => {
  for (const id of Object.keys(projects)) new pulumi.Stash(id, { input: id });
});
`;

/* absence.test.ts has the rules. These show what the engine makes of their results. */
describe("the record of a project that a response lacks, on the real engine", () => {
  let workbench: Workbench;
  let server: FleetServer;
  let project: Project;
  const all = ["p-1", "p-2", "p-3", "p-4", "p-5"];

  before(async function () {
    workbench = await useWorkbench(this);
    server = await startFleetServer();
    project = await workbench.project("kept", { program: fleetProgram() });
    await signInAs("u");
  });
  beforeEach(() => server.reset());

  const signInAs = (username: string) =>
    project.setConfig(configOf({ ...server.connection, username }));

  /** Records all projects that the service has at the start. */
  async function recordAll(program = fleetProgram()): Promise<void> {
    await project.setProgram(program);
    await project.up();
    await assertRecorded();
  }

  /** The state has these projects, and a resource for each of them. */
  async function assertRecorded(ids: readonly string[] = all, inaccessible: object[] = []) {
    const resources = await project.resources();
    const fleet = resources.find(({ type }) => type === projectsSnapshotType);
    const outputs = fleet?.outputs as { projects: object; inaccessible: object[] };
    assert.deepEqual(Object.keys(outputs.projects).sort(), ids);
    assert.deepEqual(outputs.inaccessible, inaccessible);
    assert.deepEqual(
      (await project.namesOf(stash)).filter((name) => name !== "shop"),
      ids,
    );
  }

  it("stays if a proxy drops the project from the list: update and refresh fail", async () => {
    await recordAll();
    server.unlisted.add("p-4").add("p-5");
    assert.match(
      await project.failUp(),
      /resource 'fleet' has a problem: LIST_INCOMPLETE: The record is unchanged, .* The new record lacks 2 of 5 recorded projects, which may still exist: p-4 \(its own read succeeds\), p-5 \(/,
    );
    assert.match(
      await project.fail("refresh", "--yes", "--skip-preview"),
      /LIST_INCOMPLETE: ProjectsSnapshot[^]*error: The record is unchanged, .* lacks 2 of 5 recorded projects/,
    );
    await assertRecorded();
  });

  it("is forgotten if the project was deleted, and made again in a refresh", async () => {
    server.projects.pop();
    assert.match(await project.up(), /- 1 deleted/);
    await assertRecorded(all.slice(0, 4));
    server.reset();
    assert.match(await project.refresh(), /~ 1 updated/);
    server.projects.pop();
    assert.match(
      await project.refresh(),
      /1 of 5 recorded projects will leave the record or lose all environments: p-5 \(deleted\)\./,
    );
    await assertRecorded(all.slice(0, 4));
  });

  it("stays with keep, and each run says so, after 403", async () => {
    await project.setProgram(fleetProgram('onInaccessible: "keep"'));
    const ids = ["p-1", "p-2", "p-3"];
    for (const id of ids) server.reads.set(id, (response) => sendJson(response, 403, {}));
    const inaccessible = ids.map((projectId) => ({ code: "FORBIDDEN", projectId }));
    const unread =
      /warning: \S+ 3 projects cannot be read: p-1 \(FORBIDDEN\), p-2 .*\. The recorded ones among them keep/;
    assert.match(await project.up(), unread);
    assert.match(await project.refresh(), unread);
    await assertRecorded(all, inaccessible);
  });

  it("of many projects is forgotten with maxRemovals only", async () => {
    await recordAll();
    server.projects.splice(1);
    const limit = /4 of 5 recorded projects would leave .* pass maxRemovals: 4 to/;
    assert.match(await project.failUp(), limit);
    await assertRecorded();
    await project.setProgram(fleetProgram("maxRemovals: 4"));
    // A refresh uses the recorded number.
    assert.match(await project.fail("refresh", "--yes", "--skip-preview"), limit);
    assert.match(await project.up("--refresh=false"), /4 of 5 recorded projects will leave/);
    await assertRecorded(["p-1"]);
  });

  it("is of the user who has updated last, and another one gives it up with --replace only", async () => {
    await recordAll(`${fleetProgram()}
const shop = new ProjectSnapshot("shop", { name: "shop" });
new pulumi.Stash("shop", { input: shop.projectId });
`);
    await signInAs("second");
    assert.match(await project.up(), /^ +9 unchanged$/m);
    server.hiddenFrom.set("u", new Set(["p-1"]));
    server.projects[1]!.name = "shop";
    await signInAs("u");
    assert.match(
      await project.failUp(),
      /SETTINGS_INVALID: The record is unchanged, .* Missing projects or parts of them: p-1\. .*--replace '\*\*Projects?Snapshot::<name>'/,
    );
    await assertRecorded();
    const names = ["**ProjectsSnapshot::fleet", "**ProjectSnapshot::shop"];
    await project.up("--refresh=false", ...names.flatMap((name) => ["--replace", name]));
    await assertRecorded(all.slice(1));
    const ids = (await project.resources()).map(({ id }) => id);
    assert.ok(ids.includes("p-2") && !ids.includes("p-1"), ids.join());
  });

  it("keeps what the loop of the reference made, also of a deleted project, because it is protected", async () => {
    const reference = await readFile(join(repository, "docs/reference.md"), "utf8");
    const program = codeBlocks(reference).find(({ file }) => file === "loop.ts")?.text;
    const loop = await workbench.project("loop", { program: program ?? assert.fail() });
    await loop.setConfig(configOf(server.connection));
    for (const each of server.projects) each.type = "TYPO3";
    await loop.up();
    assert.deepEqual(await loop.namesOf(stash), all);
    server.projects.pop();
    assert.match(await loop.failUp(), /p-5.*protected/s);
    assert.deepEqual(await loop.namesOf(stash), all);
  });
});
