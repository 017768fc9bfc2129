import assert from "node:assert/strict";
import { useFleetStack } from "../support/fleetStack.js";

describe("a recorded project that an answer lacks, on the real engine", () => {
  const stack = useFleetStack("missing");

  it("fails update and refresh if a proxy drops it from the list", async () => {
    stack.server.unlisted.add("p-4").add("p-5");
    assert.match(
      await stack.fail("up"),
      /resource 'fleet' has a problem: LIST_INCOMPLETE: 2 of 5 known projects are missing, without proof of deletion: p-4 \(not listed, but it can be read\), p-5 \(/,
    );
    assert.match(
      await stack.fail("refresh"),
      /LIST_INCOMPLETE: projects[^]*error: 2 of 5 known projects are missing/,
    );
    await stack.assertRecorded();
  });

  it("is forgotten if it was deleted, and recorded again in a refresh", async () => {
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
});
