import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  expectNoChanges,
  shopProgram,
  snapshotImports,
  useSnapshotStack,
} from "../../support/snapshotStack.js";

describe("drift of a ProjectSnapshot on the real engine", () => {
  const stack = useSnapshotStack();

  it("is shown until an update or a refresh records it, and keeps credentials secret", async () => {
    await stack.start("snapshot-drift", shopProgram);
    await stack.up();
    const directory = stack.project.directory;
    const program = join(directory, "index.ts");
    // A default that the program writes out is no change.
    const withDefault = 'true, connection: "project-service" }';
    await writeFile(program, shopProgram.replace("true }", withDefault));
    await stack.succeed(...expectNoChanges);
    await writeFile(program, shopProgram);

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
    const file = join(directory, "Pulumi.yaml");
    const settings = await readFile(file, "utf8");
    await writeFile(file, `${settings}options:\n  refresh: always\n`);
    assertDrift(await stack.fail(...expectNoChanges, "--refresh=false"));
    await writeFile(file, settings);

    const state = join(directory, "before.json");
    await stack.project.succeed("stack", "export", "--file", state);
    await stack.up();
    await stack.succeed(...expectNoChanges);
    await assertOutputs();
    await stack.project.succeed("stack", "import", "--file", state);
    // A refresh does not run the program.
    await writeFile(program, "this is not a program");
    await stack.refresh();
    await writeFile(program, shopProgram);
    // The program sets the stack's outputs, so only an update changes them.
    assert.match(await stack.succeed(...expectNoChanges), /2 unchanged/);
    await stack.up();
    await assertOutputs();
  });

  async function assertOutputs(): Promise<void> {
    const password = "r0tated-p4ssword-of-the-shop";
    const webroot = "/srv/shop";
    assert.deepEqual(await stack.project.outputs(), { password, webroot });
    const { stdout } = await stack.project.cli("stack", "output", "--json");
    assert.deepEqual(JSON.parse(stdout), { password: "[secret]", webroot });
  }

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
});
