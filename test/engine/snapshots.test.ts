import assert from "node:assert/strict";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { expectNoChanges, laterClass, programImports, useEngine } from "../support/engineTest.js";

describe("snapshots on the real engine", () => {
  const engine = useEngine({ sandboxFor: "test" });

  it("support Pulumi's resource options, several services, and filters that are secret or unknown", async () => {
    const second = await engine.startSandbox();
    second.projects[0]!.domain = "second.example.com";
    const program = (name: string, includeCredentials: boolean) => `${laterClass("p-6")}
const later = new Later("later");
new ProjectSnapshot("${name}", { projectId: "p-1" }, { aliases: [{ name: "old" }] });
new ProjectSnapshot("ignoring", { projectId: "p-2", includeCredentials: true }, { ignoreChanges: ["credentials"] });
new ProjectSnapshot("depending", { projectId: "p-6" }, { dependsOn: later });
new ProjectSnapshot("later", { projectId: later.value });
export const domain = new ProjectSnapshot("second", { projectId: "p-1", connection: "second" }).domain;
const idsOf = ({ projects }: InstanceType<typeof ProjectsSnapshot>) => projects.apply(Object.keys);
const name = new pulumi.Config().requireSecret("name");
new ProjectSnapshot("secret-name", { name });
export const ids = [
  idsOf(new ProjectsSnapshot("unknown", { filters: [{ key: "projectId", values: [later.value] }] })),
  idsOf(new ProjectsSnapshot("secret", { filters: [{ key: "name", values: [name] }] })),
];
new ProjectsSnapshot("fleet", {
  filters: [{ key: "projectId", values: ["p-1", "p-2"] }],
  includeCredentials: ${includeCredentials} as boolean,
});
`;
    const stack = await engine.stack("snapshot-options", program("old", true));
    await stack.configure(second, {}, "second");
    await stack.setConfig({ name: { value: "intranet", secret: true } });
    Object.assign(engine.sandbox.projects[2]!, { domain: undefined });

    // A project that waits for another resource is not read.
    engine.sandbox.forbiddenProjectIds.add("p-6");
    const planned = await stack.succeed("preview", "--diff");
    engine.sandbox.forbiddenProjectIds.clear();
    assert.doesNotMatch(planned, /intranet/);
    const { passwordGrants } = engine.sandbox.counters;
    await stack.up();
    const signIns = engine.sandbox.counters.passwordGrants - passwordGrants;
    assert.equal(signIns, 1, "all snapshots of a stack share one sign-in");
    const { domain, ids } = await stack.outputs();
    assert.equal(domain, "second.example.com");
    assert.deepEqual(ids, [["p-6"], ["p-3"]]);
    for (const resource of await stack.snapshots()) {
      if (/::secret/.test(resource.urn)) assert.doesNotMatch(JSON.stringify(resource), /intranet/);
    }
    await stack.refresh();
    await stack.succeed(...expectNoChanges);
    assert.ok((await stack.recordedFleet()).credentials);

    engine.liveDatabase("p-2").password = "ign0red-secret";
    await stack.setProgram(programImports + program("new", false));
    assert.match(await stack.up(), /~ 1 updated\n +10 unchanged/);
    assert.equal("credentials" in (await stack.recordedFleet()), false);
  });

  it("record and refresh with variables alone, and say how to destroy without them", async () => {
    const program = `${programImports}new ProjectSnapshot("shop", { name: "shop" });\n`;
    const stack = await engine.workbench.project("snapshot-variables", { program });
    Object.assign(stack.environment, engine.sandbox.envVars);
    await stack.up();
    engine.environment().projectEnvironmentCode.webroot = "/srv/shop";
    assert.match(await stack.refresh(), /~ 1 updated/);
    delete stack.environment["PROJECT_SERVICE_PASSWORD"];
    await appendFile(join(stack.directory, "Pulumi.yaml"), "options:\n  refresh: always\n");
    assert.match(
      await stack.fail("destroy", "--yes", "--skip-preview"),
      /To delete the stack without the service, run pulumi destroy --refresh=false\./,
    );
    await stack.succeed("destroy", "--yes", "--skip-preview", "--refresh=false");
  });
});
