import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { laterClass } from "../../support/engineTest.js";
import {
  expectNoChanges,
  shopProgram,
  snapshotImports,
  useSnapshotStack,
} from "../../support/snapshotStack.js";

describe("drift of a ProjectSnapshot on the real engine", () => {
  const stack = useSnapshotStack();

  it("shows a changed field and a rotated password until an update records them", async () => {
    await stack.start("snapshot-drift", shopProgram);
    await stack.up();
    await stack.succeed(...expectNoChanges);

    const live = stack.environment("p-1");
    live.projectEnvironmentCode.webroot = "/srv/shop";
    live.projectEnvironmentDatabases.databases[0]!.password = "r0tated-p4ssword-of-the-shop";
    const assertDrift = (printed: string) => {
      assert.match(
        printed,
        /~ environments: \[\n.*~ \[0\]: \{\n.*~ webroot: "\/var\/www\/shop\/live\/current\/public" => "\/srv\/shop"\n/,
      );
      assert.match(printed, /~ credentials *: \[secret\] => \[secret\]\n/);
      assert.match(printed, /~ 1 to update\n +1 unchanged/);
    };
    assertDrift(await stack.fail(...expectNoChanges));
    // A project that refreshes first needs --refresh=false, or the refresh would hide the drift.
    const file = join(stack.project.directory, "Pulumi.yaml");
    const settings = await readFile(file, "utf8");
    await writeFile(file, `${settings}options:\n  refresh: always\n`);
    assertDrift(await stack.fail(...expectNoChanges, "--refresh=false"));
    await writeFile(file, settings);

    await stack.up();
    await stack.succeed(...expectNoChanges);
    assert.equal((await stack.project.outputs())["password"], "r0tated-p4ssword-of-the-shop");
    const { stdout } = await stack.project.cli("stack", "output", "--json");
    assert.deepEqual(JSON.parse(stdout), { password: "[secret]", webroot: "/srv/shop" });
  });

  it("takes over changes in a refresh without the program, and keeps credentials secret", async () => {
    await stack.start("snapshot-refreshed", shopProgram);
    await stack.up();
    const live = stack.environment("p-1");
    live.projectEnvironmentCode.webroot = "/srv/shop";
    live.projectEnvironmentDatabases.databases[0]!.password = "r0tated-p4ssword-of-the-shop";
    const program = join(stack.project.directory, "index.ts");
    await writeFile(program, "this is not a program");
    await stack.refresh();
    await writeFile(program, shopProgram);
    // The program sets the stack's outputs, so only an update changes them.
    assert.match(await stack.succeed(...expectNoChanges), /2 unchanged/);
    await stack.up();
    const password = "r0tated-p4ssword-of-the-shop";
    assert.deepEqual(await stack.project.outputs(), { password, webroot: "/srv/shop" });
  });

  it("knows in a preview that the service omits a field", async () => {
    for (const project of stack.sandbox.projects.slice(0, 2)) {
      Object.assign(project, { codeRepository: null, domain: undefined });
    }
    await stack.start(
      "snapshot-missing",
      `${snapshotImports}
const shop = new ProjectSnapshot("shop", { name: "shop" });
const blog = new ProjectSnapshot("blog", { projectId: "p-2" });
for (const [name, project] of Object.entries({ shop, blog })) {
  new pulumi.Stash(name, {
    input: {
      repository: project.codeRepository.apply((repository) => String(repository)),
      domain: project.domain.apply((domain) => String(domain)),
      credentials: project.credentials.apply((credentials) => String(credentials)),
      webroot: project.environments[0].webroot,
    },
  });
}
`,
    );
    const planned = await stack.succeed("preview", "--diff");
    assert.match(planned, /domain *: "undefined"/);
    assert.doesNotMatch(planned, /\[unknown\]|output</);
    await stack.up();
    assert.doesNotMatch(await stack.succeed(...expectNoChanges), /\[unknown\]/);
    await stack.refresh();
    await stack.succeed(...expectNoChanges);
  });

  it("does not know a field in a preview if the project is not known yet", async () => {
    const program = (name: string) => `${snapshotImports}${laterClass("p-1")}
const projectId = new Later("${name}").value;
const shop = new ProjectSnapshot("shop", { projectId }, { ignoreChanges: ["projectId"] });
new pulumi.Stash("webroot", { input: shop.environments.apply((all) => all?.[0].webroot ?? "none") });
`;
    await stack.start("snapshot-not-known", program("first"));
    await stack.up();
    await writeFile(join(stack.project.directory, "index.ts"), program("second"));
    assert.doesNotMatch(await stack.succeed("preview", "--diff"), /"none"/);
  });

  it("shows no drift when a default value is added to the program or removed from it", async () => {
    const program = (more: string) => `${snapshotImports}
new ProjectSnapshot("shop", { name: "shop"${more} });
`;
    await stack.start("snapshot-defaults", program(""));
    await stack.up();
    const file = join(stack.project.directory, "index.ts");
    await writeFile(file, program(', includeCredentials: false, connection: "project-service"'));
    await stack.succeed(...expectNoChanges);
    await stack.up();
    await stack.refresh();
    await writeFile(file, program(""));
    await stack.succeed(...expectNoChanges);
  });
});
