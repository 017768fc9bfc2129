import assert from "node:assert/strict";
import { page } from "../support/fleetServer.js";
import { useFleetStack } from "../support/fleetStack.js";
import { sendJson } from "../support/scriptedServer.js";

describe("the record of a project that an answer lacks, on the real engine", () => {
  const stack = useFleetStack("kept");

  it("stays if one of three servers behind a balancer has lost the project", async () => {
    const { server } = stack;
    server.nodes = 3;
    for (const id of ["p-3", "p-4"]) {
      server.lostIds.add(id);
      server.unlisted.add(id);
    }
    for (const command of ["refresh", "up"] as const) {
      assert.match(await stack.fail(command), /LIST_INCOMPLETE[^]*p-3 \([^)]*can be read\)/);
    }
    await stack.assertRecorded();
  });

  it("stays for another user, who may update and refresh if nothing is missing", async () => {
    const { server } = stack;
    server.hiddenFrom.set("second", new Set(["p-1", "p-4"]));
    await stack.signInAs("second");
    for (const command of ["up", "refresh"] as const) {
      assert.match(await stack.fail(command), /SETTINGS_INVALID[^]*Missing: p-1, p-4\. Another/);
    }
    await stack.assertRecorded();
    server.reset();
    await stack.project.succeed("preview", "--expect-no-changes");
    await stack.up();
    await stack.refresh();
    // Now the second user has recorded it.
    server.hiddenFrom.set("u", new Set(["p-2"]));
    await stack.signInAs("u");
    assert.match(await stack.fail("up"), /SETTINGS_INVALID[^]*Missing: p-2\. Another user/);
    server.reset();
    await stack.up();
    await stack.refresh();
    await stack.assertRecorded();
  });

  it("stays with skip, and each run says so, after 403 of the service and of a page", async () => {
    const { server } = stack;
    await stack.setProgram('onInaccessible: "skip"');
    const ids = ["p-1", "p-2", "p-3"];
    for (const id of ids) server.reads.set(id, (response) => sendJson(response, 403, {}));
    const leftOut =
      /warning: \S+ left out 3 of 5 projects: p-1 \(FORBIDDEN\), p-2 .*\. What is recorded of them stays recorded\./;
    const inaccessible = ids.map((projectId) => ({ code: "FORBIDDEN", projectId }));
    assert.match(await stack.up(), leftOut);
    assert.match(await stack.project.succeed("preview", "--expect-no-changes"), leftOut);
    await stack.assertRecorded(stack.all, inaccessible);
    for (const id of ids) server.reads.set(id, page(403));
    assert.match(await stack.fail("up"), /denied access \(403\)[^]*3 of 5 projects failed: p-1 /);
    assert.match(await stack.refresh(), /warning: projects: left out 3 of 5 projects: p-1/);
    await stack.assertRecorded(stack.all, inaccessible);
    server.reset();
    await stack.setProgram();
    assert.match(await stack.up(), /~ 1 updated\n +6 unchanged/);
    await stack.assertRecorded();
  });

  it("is forgotten by hand: with up --replace, after a taint and after a state delete", async () => {
    const urn = await stack.urn();
    const { project, server } = stack;
    for (const forget of [
      () => Promise.resolve(["--replace", "**ProjectsSnapshot::fleet"]),
      () => project.succeed("state", "taint", urn).then(() => []),
      () => project.succeed("state", "delete", "--yes", "--target-dependents", urn).then(() => []),
    ]) {
      server.unlisted.add("p-5");
      await stack.up(...(await forget()));
      await stack.assertRecorded(stack.all.slice(0, 4));
      server.reset();
      await stack.up();
    }
    await stack.assertRecorded();
  });

  it("of a protected snapshot loses a deleted project, and is not replaced", async () => {
    await stack.setProgram("", "protect: true");
    stack.server.projects.pop();
    assert.match(await stack.up(), /- 1 deleted/);
    await stack.assertRecorded(stack.all.slice(0, 4));
    stack.server.reset();
    const { code, stdout } = await stack.project.cli("up", "--yes", "--replace", await stack.urn());
    assert.notEqual(code, 0, stdout);
    assert.match(stdout, /unprotect/);
    await stack.assertRecorded(stack.all.slice(0, 4));
  });
});
