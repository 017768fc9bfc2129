import assert from "node:assert/strict";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { laterClass } from "../support/engineTest.js";
import { shopProgram, snapshotImports, useSnapshotStack } from "../support/snapshotStack.js";
import { configOf } from "../support/workbench.js";

describe("a ProjectSnapshot on the real engine", () => {
  const stack = useSnapshotStack();

  it("supports Pulumi's resource options and several services", async () => {
    const second = await stack.startOther();
    second.projects[0]!.domain = "second.example.com";
    const program = (name: string) => `${snapshotImports}${laterClass("p-6")}
const later = new Later("later");
new ProjectSnapshot("${name}", { projectId: "p-1" }, { aliases: [{ name: "old" }] });
new ProjectSnapshot("ignoring", { projectId: "p-2", includeCredentials: true }, { ignoreChanges: ["credentials"] });
new ProjectSnapshot("depending", { projectId: "p-3" }, { dependsOn: later });
new ProjectSnapshot("later", { projectId: later.value });
export const domain = new ProjectSnapshot("second", { projectId: "p-1", connection: "second" }).domain;
`;
    await stack.start("snapshot-options", program("old"));
    await stack.project.setConfig(configOf({ ...second.connection }, "second"));
    assert.match(await stack.succeed("preview"), /\+ 7 to create/);
    const { projectReads, passwordGrants } = stack.sandbox.counters;
    assert.equal(projectReads, 2, "a project that waits for another resource is not read");
    await stack.up();
    assert.equal((await stack.project.outputs())["domain"], "second.example.com");
    const signIns = stack.sandbox.counters.passwordGrants - passwordGrants;
    assert.equal(signIns, 1, "all snapshots of a stack share one sign-in");

    stack.environment("p-2").projectEnvironmentDatabases.databases[0]!.password = "ign0red-secret";
    await stack.setProgram(program("new"));
    assert.match(await stack.up(), /7 unchanged/);
  });

  it("records and refreshes with settings from the environment alone, and says how to destroy without them", async () => {
    stack.project = await stack.workbench.project("snapshot-environment", { program: shopProgram });
    Object.assign(process.env, stack.sandbox.envVars);
    try {
      await stack.up();
      stack.environment("p-1").projectEnvironmentCode.webroot = "/srv/shop";
      assert.match(await stack.refresh(), /~ 1 updated/);
      delete process.env["PROJECT_SERVICE_PASSWORD"];
      const file = join(stack.project.directory, "Pulumi.yaml");
      await appendFile(file, "options:\n  refresh: always\n");
      assert.match(
        await stack.fail("destroy", "--yes", "--skip-preview"),
        /pulumi destroy --refresh=false does not read the service\./,
      );
      await stack.succeed("destroy", "--yes", "--skip-preview", "--refresh=false");
    } finally {
      for (const name of Object.keys(stack.sandbox.envVars)) delete process.env[name];
    }
  });

  it("keeps projects that another service does not have, after an update with its address failed", async () => {
    const program = `${snapshotImports}
new ProjectSnapshot("shop", { name: "shop" });
new ProjectSnapshot("blog", { name: "blog" }, { protect: true });
new ProjectSnapshot("intranet", { name: "intranet" });
`;
    await stack.start("snapshot-elsewhere", program);
    await stack.up();
    const other = await stack.startOther();
    other.projects = other.projects.slice(0, 1);
    await stack.project.configure(other);
    assert.match(await stack.fail("up", "--yes", "--skip-preview"), /There is no project named/);
    assert.equal((await stack.snapshots()).length, 3);
    other.projects = stack.sandbox.projects;
    await stack.up();
  });
});
