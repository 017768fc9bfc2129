import assert from "node:assert/strict";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useFleetStack } from "../support/fleetStack.js";
import { page } from "../support/fleetServer.js";
import { sendJson } from "../support/scriptedServer.js";

/* absence.test.ts has the rules. These show what the engine makes of their results. */
describe("the record of a project that a response lacks, on the real engine", () => {
  const stack = useFleetStack("kept");

  it("stays if a proxy drops the project from the list: update and refresh fail", async () => {
    stack.server.unlisted.add("p-4").add("p-5");
    assert.match(
      await stack.fail("up"),
      /resource 'fleet' has a problem: LIST_INCOMPLETE: The record is unchanged, .* The new record lacks 2 of 5 recorded projects, which may still exist: p-4 \(its own read returns it\), p-5 \(/,
    );
    assert.match(
      await stack.fail("refresh"),
      /LIST_INCOMPLETE: ProjectsSnapshot[^]*error: The record is unchanged, .* lacks 2 of 5 recorded projects/,
    );
    await stack.assertRecorded();
  });

  it("is of the user who has updated last, although nothing changed", async () => {
    const { server } = stack;
    await stack.signInAs("second");
    assert.match(await stack.up(), /^ +7 unchanged$/m);
    server.hiddenFrom.set("u", new Set(["p-2"]));
    await stack.signInAs("u");
    assert.match(
      await stack.fail("up"),
      /SETTINGS_INVALID: The record .*Missing projects or parts of them: p-2\. /,
    );
    await stack.assertRecorded();
    await stack.signInAs("second");
  });

  it("is forgotten if the project was deleted, and made again in a refresh", async () => {
    stack.server.projects.pop();
    assert.match(await stack.up(), /- 1 deleted/);
    await stack.assertRecorded(stack.all.slice(0, 4));
    stack.server.reset();
    assert.match(await stack.refresh(), /~ 1 updated/);
    stack.server.projects.pop();
    assert.match(
      await stack.refresh(),
      /1 of 5 recorded projects will leave the record or lose all environments: p-5 \(deleted\)\./,
    );
    await stack.assertRecorded(stack.all.slice(0, 4));
  });

  it("stays with keep, and each run says so, after 403", async () => {
    const { server } = stack;
    await stack.setProgram('onInaccessible: "keep"');
    const ids = ["p-1", "p-2", "p-3"];
    for (const id of ids) server.reads.set(id, (response) => sendJson(response, 403, {}));
    const inaccessible = ids.map((projectId) => ({ code: "FORBIDDEN", projectId }));
    const unread =
      /warning: \S+ 3 projects cannot be read: p-1 \(FORBIDDEN\), p-2 .*\. The recorded ones among them keep/;
    assert.match(await stack.up(), unread);
    assert.match(await stack.refresh(), unread);
    await stack.assertRecorded(stack.all, inaccessible);
    // A gateway whose session has expired says nothing about a project.
    server.reads.set("p-1", page(403));
    assert.match(await stack.fail("up"), /403/);
    await stack.assertRecorded(stack.all, inaccessible);
  });

  it("stays, and nothing is deleted, whatever else the service or a gateway omits", async () => {
    const { server } = stack;
    await stack.recordAll();
    const filter = 'filters: [{ key: "type", values: ["TYPO3"] }]';
    const each = (change: (project: Record<string, unknown>) => void) => () =>
      server.projects.forEach((project) => change(project as never));
    const lastRead = (status: number) => () =>
      server.reads.set("p-5", (response) => sendJson(response, status, {}));
    for (const [args, prepare, message] of [
      [
        "",
        each((project) => delete project["projectEnvironments"]),
        /RESPONSE_INVALID: The rec.*p-1 \(environments\)/,
      ],
      ["", lastRead(404), /NOT_FOUND\]: Reading project p-5 failed/],
      [filter, each((project) => delete project["type"]), /RESPONSE_INVALID.*lacks type/],
    ] as const) {
      for (const project of server.projects) project.type = "TYPO3";
      await stack.setProgram(args);
      prepare();
      assert.match(await stack.fail("up"), message);
      server.reset();
      await stack.assertRecorded();
    }
  });

  it("stays if only the list has null in place of the value of a filter, and leaves if its own read has another", async () => {
    const { server } = stack;
    const [shop] = server.projects;
    for (const project of server.projects) project.type = "TYPO3";
    await stack.setProgram('filters: [{ key: "type", values: ["TYPO3"] }]');
    server.listForms.set("p-1", { ...shop, type: null });
    await stack.up();
    await stack.assertRecorded();
    server.listForms.clear();
    shop!.type = "NONE";
    assert.match(
      await stack.up(),
      /1 of 5 recorded projects will leave .*p-1 \(no longer matching\)/,
    );
    await stack.assertRecorded(stack.all.slice(1));
  });

  it("of many projects is forgotten with maxRemovals, also if each update refreshes first", async () => {
    const { project, server } = stack;
    await stack.recordAll();
    const file = join(project.directory, "Pulumi.yaml");
    const before = await readFile(file, "utf8");
    await appendFile(file, "options:\n  refresh: always\n");
    server.projects.splice(1);
    await stack.setProgram("maxRemovals: 4");
    assert.match(
      await stack.fail("up"),
      /4 of 5 recorded projects would leave .*maxRemovals: 4 to/,
    );
    assert.match(await stack.up("--refresh=false"), /4 of 5 recorded projects will leave/);
    await stack.assertRecorded(["p-1"]);
    await writeFile(file, before);
  });

  it("is forgotten by hand: with up --replace, after a taint and after a state delete", async () => {
    await stack.recordAll();
    const urn = await stack.urn();
    const { project, server } = stack;
    for (const [id, forget] of [
      ["p-5", () => Promise.resolve(["--replace", "**ProjectsSnapshot::fleet"])],
      ["p-4", () => project.succeed("state", "taint", urn).then(() => [])],
      [
        "p-3",
        () =>
          project.succeed("state", "delete", "--yes", "--target-dependents", urn).then(() => []),
      ],
    ] as const) {
      server.unlisted.add(id);
      await stack.up(...(await forget()));
      await stack.assertRecorded(stack.all.filter((each) => !server.unlisted.has(each)));
    }
  });

  it("of a ProjectSnapshot stays if its name leads another user to another project, until --replace", async () => {
    const { project, server } = stack;
    const program = `import * as pulumi from "@pulumi/pulumi";
import { ProjectSnapshot } from "pulumi-project-service";
const { projectId } = new ProjectSnapshot("one", { name: "shop" });
projectId.apply((id) => new pulumi.Stash(id, { input: id }));
`;
    await writeFile(join(project.directory, "index.ts"), program);
    await stack.signInAs("u");
    await stack.up();
    server.hiddenFrom.set("other", new Set(["p-1"]));
    server.projects[1]!.name = "shop";
    await stack.signInAs("other");
    assert.match(
      await stack.fail("up"),
      /SETTINGS_INVALID: The record is unchanged, .* Missing projects or parts of them: p-1\. .*--replace '\*\*ProjectSnapshot::<name>'/,
    );
    const made = async () =>
      (await project.resources()).flatMap(({ type, urn }) =>
        type === "pulumi:index:Stash" ? urn.split("::").at(-1) : [],
      );
    assert.deepEqual(await made(), ["p-1"]);
    await stack.up("--refresh=false", "--replace", "**ProjectSnapshot::one");
    assert.deepEqual(await made(), ["p-2"]);
  });
});
