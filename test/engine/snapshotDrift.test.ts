import assert from "node:assert/strict";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { expectNoChanges, shopProgram, useSnapshotStack } from "../support/snapshotStack.js";

describe("drift of a ProjectSnapshot on the real engine", () => {
  const stack = useSnapshotStack();

  it("is shown until an update or a refresh records it, and keeps credentials secret", async () => {
    await stack.start("snapshot-drift", shopProgram);
    await stack.up();
    const { directory } = stack.project;
    // A project that refreshes first needs --refresh=false, or the refresh would hide the drift.
    await appendFile(join(directory, "Pulumi.yaml"), "options:\n  refresh: always\n");
    const preview = [...expectNoChanges, "--refresh=false"];

    const live = stack.environment("p-1");
    live.projectEnvironmentCode.webroot = "/srv/shop";
    live.projectEnvironmentDatabases.databases[0]!.password = "r0tated-p4ssword-of-the-shop";
    const printed = await stack.fail(...preview);
    assert.match(
      printed,
      /~ environments: \[\n.*~ \[0\]: \{\n.*~ webroot: "\/var\/www\/shop\/live\/current\/public" => "\/srv\/shop"\n/,
    );
    assert.match(printed, /~ credentials *: \[secret\] => \[secret\]\n/);
    assert.match(printed, /~ 1 to update\n +1 unchanged/);

    const state = join(directory, "before.json");
    await stack.project.succeed("stack", "export", "--file", state);
    await stack.succeed("up", "--yes", "--skip-preview", "--refresh=false");
    const recorded = { password: "r0tated-p4ssword-of-the-shop", webroot: "/srv/shop" };
    assert.deepEqual(await stack.project.outputs(), recorded);
    const shown = JSON.parse(await stack.project.succeed("stack", "output", "--json")) as object;
    assert.deepEqual(shown, { ...recorded, password: "[secret]" });

    await stack.project.succeed("stack", "import", "--file", state);
    // A refresh does not run the program.
    await stack.setProgram("this is not a program");
    await stack.refresh();
    // A default that the program writes out is no change.
    const withDefault = 'true, connection: "project-service" }';
    await stack.setProgram(shopProgram.replace("true }", withDefault));
    assert.match(await stack.succeed(...preview), /2 unchanged/);
  });
});
