import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { getProjects, getProjectsOutput } from "../../sdk/index.js";
import { failureOf } from "../support/failure.js";
import { type FleetServer, startFleetServer } from "../support/fleetServer.js";
import { sendJson } from "../support/scriptedServer.js";
import { settled } from "../support/settled.js";

describe("knownIds of getProjects", () => {
  let server: FleetServer;
  let opts: { connection: FleetServer["connection"] };
  const knownIds = ["p-1", "p-2", "p-5"];
  before(async () => {
    server = await startFleetServer();
    opts = { connection: server.connection };
  });
  beforeEach(() => server.reset());

  const idsOf = ({ projects }: { projects: { projectId: string }[] }) =>
    projects.map(({ projectId }) => projectId);

  it("fail the call for a project that the service omits and that can be read, in both forms", async () => {
    server.unlisted.add("p-5").add("p-4");
    for (const read of [
      () => getProjects({ knownIds }, opts),
      () => getProjects({ details: true, knownIds, onInaccessible: "skip" }, opts),
      () => settled(getProjectsOutput({ knownIds: pulumi.output(knownIds) }, opts)),
    ]) {
      const { message } = await failureOf(read, "LIST_INCOMPLETE");
      assert.match(
        message,
        /1 of 3 known projects is missing.* p-5 \(not listed, but it can be read\)\./,
      );
      assert.match(message, /To go on without a project, remove its id from knownIds\./);
      assert.doesNotMatch(message, /p-4/);
    }
  });

  it("ask nothing if all are in the result", async () => {
    const read = await getProjects({ knownIds: [...knownIds, "p-1"] }, opts);
    assert.equal(idsOf(read).length, 5);
    assert.deepEqual(Object.fromEntries(server.counts), { projects: 1 });
  });

  it("may be missing if they were deleted, or no longer match", async () => {
    const filters = [{ key: "type" as const, values: [server.projects[0]!.type] }];
    server.projects[1]!.type = "CHANGED";
    server.projects.pop();
    const deleted = server.projects.length;
    const { projects } = await getProjects({ filters, knownIds }, opts);
    assert.ok(projects.length < deleted);
    assert.deepEqual(server.counts.get("p-5"), 3);
    assert.equal(server.counts.get("p-2"), 3, "its own reads decide");
  });

  it("are never left out by skip, which leaves out others", async () => {
    for (const id of ["p-2", "p-4"])
      server.reads.set(id, (response) => sendJson(response, 403, {}));
    const read = (ids: string[]) =>
      getProjects({ details: true, onInaccessible: "skip", knownIds: ids }, opts);
    const { inaccessible } = await read(["p-1"]);
    assert.equal(inaccessible.length, 2);
    const { message } = await failureOf(read(knownIds), "LIST_INCOMPLETE");
    assert.match(message, /: p-2 \(listed, and its read failed: 403\)\. /);
  });

  it("are not named if they are secret", async () => {
    server.unlisted.add("p-5");
    const secret = getProjectsOutput({ knownIds: pulumi.secret(knownIds) }, opts);
    const { message } = await failureOf(settled(secret), "LIST_INCOMPLETE");
    assert.doesNotMatch(message, /p-5/);
  });

  it("must be a list, empty at first, and never undefined", async () => {
    const { counts } = server;
    for (const read of [
      () => getProjects({ knownIds: undefined as never }, opts),
      () => settled(getProjectsOutput({ knownIds: undefined as never }, opts)),
      () => settled(getProjectsOutput({ knownIds: pulumi.output(undefined as never) }, opts)),
    ]) {
      const { message } = await failureOf(read, "ARGUMENT_INVALID");
      assert.match(
        message,
        /^knownIds of getProjects(Output)? must not be undefined\. .* pass \[\]\./,
      );
    }
    await failureOf(() => getProjects({ knownIds: "p-1" as never }, opts), "ARGUMENT_INVALID");
    assert.equal(counts.size, 0);
    assert.equal(idsOf(await getProjects({ knownIds: [] }, opts)).length, 5);
  });
});
