import assert from "node:assert/strict";
import { join } from "node:path";
import { sampleProjects } from "../support/testSandbox.js";
import {
  expectNoChanges,
  fleetProgram,
  snapshotImports,
  useSnapshotStack,
} from "../support/snapshotStack.js";

describe("drift of a ProjectsSnapshot on the real engine", () => {
  const stack = useSnapshotStack();

  /** Ids that look like paths of properties. */
  const ids = ["a.b", "x[0]", "1", "constructor", "__x"];

  /** Changes a webroot, adds a project, deletes one, denies access to one, and rotates a password. */
  function changeFleet(): void {
    const [shop, blog, third, ...others] = stack.sandbox.projects;
    const live = shop!.projectEnvironments[0]!;
    live.projectEnvironmentCode.webroot = "/srv/shop";
    live.projectEnvironmentDatabases.databases[0]!.password = "r0tated-p4ssword-of-the-shop";
    stack.sandbox.forbiddenProjectIds.add(blog!._id);
    for (const other of others) other.domain = `changed-${other._id}`;
    stack.sandbox.projects = [...others, sampleProjects()[3]!, blog!, shop!];
    assert.equal(third!._id, "p-3");
  }

  async function assertChangedFleetIsRecorded(): Promise<void> {
    const { projects, inaccessible } = await stack.recorded();
    // p-2 keeps what is recorded of it.
    assert.deepEqual(Object.keys(projects).sort(), ["p-1", "p-2", "p-4", ...ids].sort());
    assert.equal(projects["p-1"]?.environments[0]?.webroot, "/srv/shop");
    for (const id of ids) assert.equal(projects[id]?.domain, `changed-${id}`);
    assert.deepEqual(inaccessible, [{ code: "FORBIDDEN", projectId: "p-2" }]);
  }

  it("is shown at its place, and an update and a refresh record the same", async () => {
    const others = ids.map((_id) => ({ ...sampleProjects()[0]!, _id, name: _id }));
    stack.sandbox.projects = [...sampleProjects().slice(0, 3), ...others];
    await stack.start(
      "fleet-drift",
      fleetProgram('onInaccessible: "keep", includeCredentials: true'),
    );
    await stack.up();
    const state = join(stack.project.directory, "before.json");
    await stack.project.succeed("stack", "export", "--file", state);
    changeFleet();
    const printed = await stack.fail(...expectNoChanges);
    assert.match(printed, /~ credentials *: \[secret\] => \[secret\]/);
    assert.match(printed, /~ inaccessible: \[\n.*\+ \[0\]: \{\n.*code *: "FORBIDDEN"\n.*"p-2"/);
    assert.match(
      printed,
      /~ p-1 *: \{\n.*~ environments: \{\n.*~ live: \(json\) \{[^]*?~ webroot *: "\/var\/www\/shop\/live\/current\/public" => "\/srv\/shop"\n/,
    );
    assert.match(printed, /- p-3 *: \{/);
    assert.doesNotMatch(printed, /- p-2 *: \{/);
    assert.match(printed, /\+ p-4 *: \{/);
    for (const id of ids) assert.ok(printed.includes(`"changed-${id}"`), printed);
    assert.match(printed, /~ 1 to update\n +1 unchanged/);
    await stack.up();
    await assertChangedFleetIsRecorded();
    await stack.project.succeed("stack", "import", "--file", state);
    await stack.refresh();
    await assertChangedFleetIsRecorded();
    await stack.succeed(...expectNoChanges);
  });

  it("is shown in few lines, and is not shown for what the program ignores", async () => {
    const ignoring = (paths: string) =>
      `${snapshotImports}new ProjectsSnapshot("fleet", {}, { ignoreChanges: [${paths}] });`;
    await stack.startWithThree("fleet-lines", ignoring(""));
    const [shop, blog] = stack.sandbox.projects;
    shop!.status = "CHANGED";
    blog!.projectEnvironments[0]!.projectEnvironmentCode.webroot = "/srv/blog";
    const printed = await stack.fail(...expectNoChanges);
    assert.match(
      printed,
      /~ p-1: \{\n.*~ project *: \(json\) \{[^]*~ status *: "\w+" => "CHANGED"\n/,
    );
    assert.match(
      printed,
      /~ p-2: \{[^]*~ live: \(json\) \{[^]*~ webroot *: "\S+" => "\/srv\/blog"\n/,
    );
    assert.ok(printed.split("\n").length <= 130, printed);
    await stack.setProgram(ignoring(`'projects["p-1"]', 'projects["p-2"].environments["live"]'`));
    await stack.succeed(...expectNoChanges);
  });
});
