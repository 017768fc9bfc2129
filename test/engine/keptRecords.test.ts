import assert from "node:assert/strict";
import { useFleetStack } from "../support/fleetStack.js";
import { sendJson } from "../support/scriptedServer.js";

/* missingRecords.test.ts has the rules. These show what the engine makes of their results. */
describe("the record of a project that an answer lacks, on the real engine", () => {
  const stack = useFleetStack("kept");

  it("is of the user who has updated last, although nothing changed", async () => {
    const { server } = stack;
    await stack.signInAs("second");
    await stack.project.succeed("preview", "--expect-no-changes");
    await stack.up();
    server.hiddenFrom.set("u", new Set(["p-2"]));
    await stack.signInAs("u");
    assert.match(await stack.fail("up"), /SETTINGS_INVALID[^]*Missing: p-2\. Another user/);
    await stack.assertRecorded();
    await stack.signInAs("second");
  });

  it("stays with skip, and each run says so, after 403", async () => {
    const { server } = stack;
    await stack.setProgram('onInaccessible: "skip"');
    const ids = ["p-1", "p-2", "p-3"];
    for (const id of ids) server.reads.set(id, (response) => sendJson(response, 403, {}));
    const inaccessible = ids.map((projectId) => ({ code: "FORBIDDEN", projectId }));
    const leftOut =
      /warning: \S+ left out 3 of 5 projects: p-1 \(FORBIDDEN\), p-2 .*\. Earlier records are kept\./;
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
});
