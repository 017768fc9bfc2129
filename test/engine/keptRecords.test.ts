import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useFleetStack } from "../support/fleetStack.js";
import { sendJson } from "../support/scriptedServer.js";

/* missingRecords.test.ts has the rules. These show what the engine makes of their results. */
describe("the record of a project that an answer lacks, on the real engine", () => {
  const stack = useFleetStack("kept");

  it("stays if a proxy drops the project from the list: update and refresh fail", async () => {
    stack.server.unlisted.add("p-4").add("p-5");
    assert.match(
      await stack.fail("up"),
      /resource 'fleet' has a problem: LIST_INCOMPLETE: 2 of 5 known projects are missing, without proof of deletion: p-4 \(not listed, but it can be read\), p-5 \(/,
    );
    assert.match(
      await stack.fail("refresh"),
      /LIST_INCOMPLETE: ProjectsSnapshot[^]*error: 2 of 5 known projects are missing/,
    );
    await stack.assertRecorded();
  });

  it("is of the user who has updated last, although nothing changed", async () => {
    const { server } = stack;
    await stack.signInAs("second");
    assert.match(await stack.up(), /^ +7 unchanged$/m);
    server.hiddenFrom.set("u", new Set(["p-2"]));
    await stack.signInAs("u");
    assert.match(await stack.fail("up"), /SETTINGS_INVALID[^]*Missing: p-2\. Another user/);
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
      /1 of 5 projects will be removed from the record: p-5 \(deleted\)\./,
    );
    await stack.assertRecorded(stack.all.slice(0, 4));
  });

  it("stays with skip, and each run says so, after 403", async () => {
    const { server } = stack;
    await stack.setProgram('onInaccessible: "skip"');
    const ids = ["p-1", "p-2", "p-3"];
    for (const id of ids) server.reads.set(id, (response) => sendJson(response, 403, {}));
    const inaccessible = ids.map((projectId) => ({ code: "FORBIDDEN", projectId }));
    const leftOut =
      /warning: \S+ left out 3 of 5 projects: p-1 \(FORBIDDEN\), p-2 .*\. Earlier records are kept,/;
    assert.match(await stack.up(), leftOut);
    assert.match(await stack.refresh(), leftOut);
    await stack.assertRecorded(stack.all, inaccessible);
  });

  it("is forgotten by hand: with up --replace, after a taint and after a state delete", async () => {
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
      /SETTINGS_INVALID: Reading failed: Missing: 1 recorded project\. Another user.*--replace '\*\*ProjectSnapshot::<name>'/,
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
