import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { laterClass } from "../../support/engineTest.js";
import { fleetImports, snapshotImports, useSnapshotStack } from "../../support/snapshotStack.js";
import { configOf } from "../../support/workbench.js";

describe("a ProjectSnapshot's arguments and options on the real engine", () => {
  const stack = useSnapshotStack();

  it("supports Pulumi's resource options and several services", async () => {
    const second = await stack.startSandbox();
    stack.otherSandboxes.push(second);
    second.projects[0]!.domain = "second.example.com";
    const program = (name: string, more: string) => `${snapshotImports}${laterClass("p-6")}
const later = new Later("later");
new ProjectSnapshot("${name}", { projectId: "p-1" }, { aliases: [{ name: "old" }] });
new ProjectSnapshot("ignoring", { projectId: "p-2" }, { ignoreChanges: ["environments"] });
new ProjectSnapshot("plain", { projectId: "p-3" }, { dependsOn: later });
new ProjectSnapshot("depending", { projectId: later.value });
export const domain = new ProjectSnapshot("second", { projectId: "p-1", connection: "second" }).domain;
${more}`;
    await stack.start(
      "snapshot-options",
      program(
        "old",
        `new ProjectSnapshot("protected", { projectId: "p-4" }, { protect: true });
new ProjectSnapshot("retained", { projectId: "p-5" }, { retainOnDelete: true });`,
      ),
    );
    await stack.project.setConfig(configOf({ ...second.connection }, "second"));
    assert.match(await stack.succeed("preview"), /\+ 9 to create/);
    assert.equal(
      stack.sandbox.counters.projectReads,
      4,
      "a project that waits for another resource is not read",
    );
    const signIns = stack.sandbox.counters.passwordGrants;
    await stack.up();
    assert.equal((await stack.project.outputs())["domain"], "second.example.com");
    const newSignIns = stack.sandbox.counters.passwordGrants - signIns;
    assert.equal(newSignIns, 1, "all snapshots of a stack share one sign-in");

    const waiting = `new ProjectSnapshot("protected", { projectId: "p-4" }, { protect: true, dependsOn: new Later("another") });`;
    await writeFile(join(stack.project.directory, "index.ts"), program("old", waiting));
    assert.match(await stack.succeed("preview"), /ProjectSnapshot protected +update/);

    stack.environment("p-2").projectEnvironmentCode.webroot = "/ignored";
    await writeFile(join(stack.project.directory, "index.ts"), program("new", ""));
    const reads = stack.sandbox.counters.projectReads;
    assert.match(
      await stack.fail("up", "--yes", "--skip-preview"),
      /ProjectSnapshot::protected" cannot be deleted/,
    );
    await stack.succeed("state", "unprotect", "--all", "--yes");
    assert.match(await stack.up(), /- 1 deleted\n +7 unchanged/);
    await stack.refresh();
    assert.equal(stack.sandbox.counters.projectReads, reads + 12);
    await stack.sandbox.close();
    await second.close();
    await stack.succeed("destroy", "--yes", "--skip-preview");
  });

  it("knows no output in a preview if projectId is ignored and not known yet", async () => {
    const program = (name: string) => `${snapshotImports}${laterClass("p-1")}
const projectId = new Later("${name}").value;
const shop = new ProjectSnapshot("shop", { projectId }, { ignoreChanges: ["projectId"] });
export const values = [shop.projectId, shop.domain, shop.codeRepository.name, shop.service];
export const isUndefined = pulumi.all([shop.domain, shop.service, shop.hasCode]).apply((all) => {
  if (all.includes(undefined as never)) throw new Error("an output is undefined");
  return all.length;
});
new pulumi.Stash("webroot", { input: shop.environments.apply((all) => all?.[0].webroot ?? "none") });
`;
    await stack.start("snapshot-ignoring", program("first"));
    await stack.up();
    await writeFile(join(stack.project.directory, "index.ts"), program("second"));
    assert.doesNotMatch(await stack.succeed("preview", "--diff"), /"none"/);
  });

  it("has unknown outputs if the engine leaves it out of a preview, as another resource", async () => {
    await stack.start(
      "snapshot-left-out",
      `${fleetImports}${laterClass("later")}
new pulumi.Stash("wanted", { input: "1" });
const later = new Later("later");
const shop = new ProjectSnapshot("shop", { name: "shop" });
const fleet = new ProjectsSnapshot("fleet");
export const lengths = [
  later.value.apply((value) => value.length),
  shop.environments.apply((environments) => environments[0].webroot.length),
  shop.codeRepository.name.apply((name) => name.length),
  fleet.projects.apply((projects) => Object.keys(projects).length),
];
`,
    );
    const urnOf = (type: string, name: string) =>
      `urn:pulumi:test::snapshot-left-out::${type}::${name}`;
    const wanted = urnOf("pulumi:index:Stash", "wanted");
    const shop = urnOf("pulumi-nodejs:dynamic/project-service:ProjectSnapshot", "shop");
    await stack.succeed("preview", "--exclude", shop);
    assert.match(await stack.succeed("preview", "--target", wanted), /\+ [12] to create/);
  });

  it("rejects settings as connection, the option import, and arguments without a project", async () => {
    await stack.start(
      "snapshot-rejected",
      `${snapshotImports}
for (const make of [
  () => new ProjectSnapshot("a", { projectId: "p-1", connection: { realm: "x" } as unknown as string }),
  () => new ProjectSnapshot("b", { projectId: "p-1" }, { import: "p-1" }),
  () => new ProjectSnapshot("c", {} as { projectId: string }),
]) {
  try {
    make();
  } catch (error) {
    console.log((error as Error).message);
  }
}
`,
    );
    const printed = await stack.succeed("preview");
    assert.match(printed, /connection of ProjectSnapshot must be a string/);
    assert.match(printed, /ProjectSnapshot .*\boption import\b/);
    assert.match(printed, /ProjectSnapshot needs exactly one of projectId and name/);

    await writeFile(
      join(stack.project.directory, "index.ts"),
      `${snapshotImports}
const missing = pulumi.output(undefined) as unknown as pulumi.Output<string>;
new ProjectSnapshot("d", { projectId: missing });
`,
    );
    const late = await stack.fail("preview");
    assert.match(
      late,
      /\[ARGUMENT_INVALID\]: ProjectSnapshot needs exactly one of projectId and name, and it must not be undefined\. \(index\.ts:\d+\)\n/,
    );
  });
});
