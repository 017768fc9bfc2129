import assert from "node:assert/strict";
import { join } from "node:path";
import { sampleProjects } from "../support/testSandbox.js";
import { expectNoChanges, programImports, useEngine } from "../support/engineTest.js";
import type { Project } from "../support/workbench.js";

const password = "r0tated-p4ssword-of-the-shop";

/** Ids that look like paths of properties. */
const ids = ["a.b", "x[0]", "1", "constructor", "__x"];

const program = `const shop = new ProjectSnapshot("shop", { name: "shop", includeCredentials: true });
new ProjectsSnapshot("fleet", { onInaccessible: "keep", includeCredentials: true });
new ProjectsSnapshot(
  "ignoring",
  { filters: [{ key: "projectId", values: ["p-1", "p-5"] }], includeCredentials: true },
  { ignoreChanges: ['projects["p-1"].environments["live"]', 'projects["p-5"]', "credentials"] },
);
export const webroot = shop.environments[0].webroot;
export const password = shop.credentials.databases["live"]?.[0].password;
`;

describe("drift of snapshots on the real engine", () => {
  const engine = useEngine({ sandboxFor: "test" });
  let stack: Project;

  /** Changes a webroot and a domain, adds a project, deletes one, denies access to one, and rotates a password. */
  function changeFleet(): void {
    const [shop, blog, third, fifth, ...others] = engine.sandbox.projects;
    const live = shop!.projectEnvironments[0]!;
    live.projectEnvironmentCode.webroot = "/srv/shop";
    live.projectEnvironmentDatabases.databases[0]!.password = password;
    fifth!.domain = "new.example.com";
    engine.sandbox.forbiddenProjectIds.add(blog!._id);
    for (const other of others) other.domain = `changed-${other._id}`;
    engine.sandbox.projects = [...others, sampleProjects()[3]!, fifth!, blog!, shop!];
    assert.equal(third!._id, "p-3");
  }

  async function assertChangedFleetIsRecorded(): Promise<void> {
    const { projects, inaccessible } = await stack.recordedFleet();
    // p-2 keeps what is recorded of it.
    assert.deepEqual(Object.keys(projects).sort(), ["p-1", "p-2", "p-4", "p-5", ...ids].sort());
    assert.equal(projects["p-1"]?.environments[0]?.webroot, "/srv/shop");
    for (const id of ids) assert.equal(projects[id]?.domain, `changed-${id}`);
    assert.deepEqual(inaccessible, [{ code: "FORBIDDEN", projectId: "p-2" }]);
    const shop = (await stack.snapshots()).find(({ urn }) => urn.endsWith("::shop"));
    assert.match(JSON.stringify(shop?.outputs), /"webroot":"\/srv\/shop"/);
  }

  it("is shown at its place, but not what is ignored, and an update and a refresh record the same", async () => {
    const others = ids.map((_id) => ({ ...sampleProjects()[0]!, _id, name: _id }));
    const samples = sampleProjects();
    engine.sandbox.projects = [...samples.slice(0, 3), samples[4]!, ...others];
    stack = await engine.stack("snapshot-drift", program);
    await stack.up();
    const state = join(stack.directory, "before.json");
    await stack.succeed("stack", "export", "--file", state);
    changeFleet();
    const printed = await stack.fail(...expectNoChanges);
    assert.match(printed, /~ inaccessible: \[\n.*\+ \[0\]: \{\n.*code *: "FORBIDDEN"\n.*"p-2"/);
    const webroot = '~ webroot *: "/var/www/shop/live/current/public" => "/srv/shop"\\n';
    for (const place of [
      `~ environments: \\[\\n.*~ \\[0\\]: \\{\\n.*${webroot}`,
      `~ p-1 *: \\{\\n.*~ environments: \\{\\n.*~ live: \\(json\\) \\{[^]*?${webroot}`,
    ]) {
      assert.match(printed, new RegExp(place));
    }
    assert.equal(printed.match(/~ credentials *: \[secret\] => \[secret\]\n/g)?.length, 2);
    assert.match(printed, /- p-3 *: \{/);
    assert.doesNotMatch(printed, /- p-2 *: \{/);
    assert.match(printed, /\+ p-4 *: \{/);
    for (const id of ids) assert.ok(printed.includes(`"changed-${id}"`), printed);
    assert.match(printed, /~ 2 to update\n +2 unchanged/);

    await stack.up();
    await assertChangedFleetIsRecorded();
    const recorded = { password, webroot: "/srv/shop" };
    assert.deepEqual(await stack.outputs(), recorded);
    const shown = JSON.parse(await stack.succeed("stack", "output", "--json")) as object;
    assert.deepEqual(shown, { ...recorded, password: "[secret]" });

    await stack.succeed("stack", "import", "--file", state);
    await stack.setProgram("this is not a program");
    await stack.refresh();
    await assertChangedFleetIsRecorded();
    // A default that the program writes out is no change.
    const withDefault = '{ name: "shop", connection: "project-service",';
    await stack.setProgram(programImports + program.replace('{ name: "shop",', withDefault));
    assert.match(await stack.succeed(...expectNoChanges), /4 unchanged/);
  });
});
