import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { repository } from "../../support/paths.js";
import { expectNoChanges, shopProgram, useSnapshotStack } from "../../support/snapshotStack.js";

describe("the state of a ProjectSnapshot on the real engine", () => {
  const stack = useSnapshotStack();

  it("keeps a project while the service is unreachable, and deletes it when the service no longer has it", async () => {
    await stack.start("snapshot-gone", shopProgram);
    await stack.up();
    const before = await stack.snapshots();
    const { port } = new URL(stack.sandbox.connection.baseUrl);
    await stack.sandbox.close();
    // The port stays in use: the engine could take a free one.
    const hangingUp = createServer((socket) => socket.destroy()).listen(Number(port), "127.0.0.1");
    assert.match(
      await stack.fail("refresh", "--yes"),
      /error: Preview failed: .* failed: no response from 127\.0\.0\.1:\d+ \(ECONNRESET\)\. Check (baseUrl|authUrl) and the network/,
    );
    assert.deepEqual(await stack.snapshots(), before);
    await new Promise((resolve) => hangingUp.close(resolve));

    stack.sandbox = await stack.startSandbox({ port: Number(port) });
    stack.sandbox.projects = stack.sandbox.projects.slice(1);
    assert.match(await stack.refresh(), /- +pulumi-nodejs:\S+:ProjectSnapshot shop deleted/);
    assert.deepEqual(await stack.snapshots(), []);
  });

  it("shows no drift after the reader's password changed, and refreshes with the new password after an update", async () => {
    await stack.start("snapshot-reader", shopProgram);
    await stack.up();
    const { port } = new URL(stack.sandbox.connection.baseUrl);
    await stack.sandbox.close();
    stack.sandbox = await stack.startSandbox({
      port: Number(port),
      password: "an0ther-p4ssword-of-the-reader",
    });
    await stack.project.configure(stack.sandbox);
    assert.match(
      await stack.fail("refresh", "--yes"),
      /the user name or the password was rejected \(401\)\. Check username and password\..* run pulumi up --refresh=false, or pulumi refresh --run-program/,
    );
    await stack.succeed(...expectNoChanges);
    await stack.succeed("refresh", "--yes", "--skip-preview", "--run-program");
    await stack.up();
    await stack.refresh();
  });

  it("records and refreshes with settings from the environment alone", async () => {
    stack.project = await stack.workbench.project("snapshot-environment", { program: shopProgram });
    Object.assign(process.env, stack.sandbox.environment);
    try {
      await stack.up();
      stack.environment("p-1").projectEnvironmentCode.webroot = "/srv/shop";
      assert.match(await stack.refresh(), /~ 1 updated/);
      await stack.succeed(...expectNoChanges);
      const signIns = stack.sandbox.counters.passwordGrants;
      delete process.env["PROJECT_SERVICE_PASSWORD"];
      assert.match(await stack.fail("refresh", "--yes"), /PROJECT_SERVICE_PASSWORD/);
      assert.equal(stack.sandbox.counters.passwordGrants, signIns);
    } finally {
      for (const name of Object.keys(stack.sandbox.environment)) delete process.env[name];
    }
  });

  it("reads a state that version 0.1.0 wrote, updates the provider's text in it once, and has a place for a ProjectsSnapshot", async () => {
    await stack.start("stored", shopProgram);
    const file = join(repository, "test/engine/bothSdks/states/projectSnapshot-0.1.0.json");
    const stored = (await readFile(file, "utf8")).replaceAll(
      "http://127.0.0.1:12345",
      stack.sandbox.connection.baseUrl,
    );
    await writeFile(join(stack.project.directory, "state.json"), stored);
    await stack.succeed("stack", "import", "--file", "state.json");
    stack.environment("p-1").projectEnvironmentCode.webroot = "/srv/shop";
    assert.match(
      await stack.succeed("refresh", "--yes", "--skip-preview", "--diff"),
      /"\/srv\/shop"/,
    );
    const printed = await stack.fail(...expectNoChanges);
    assert.match(printed, /~ 1 to update\n +1 unchanged/);
    assert.match(printed, /\[urn=.*::shop\]\n +~ __provider: .*\n +--outputs/);
    const beside = `${shopProgram}\nnew projectService.ProjectsSnapshot("fleet");\n`;
    await writeFile(join(stack.project.directory, "index.ts"), beside);
    assert.match(await stack.up(), /\+ 1 created\n +~ 1 updated/);
    stack.environment("p-1").projectEnvironmentCode.webroot = "/srv/other";
    assert.match(await stack.refresh(), /~ 2 updated/);
    await stack.succeed(...expectNoChanges);
    await stack.sandbox.close();
    assert.match(await stack.succeed("destroy", "--yes", "--skip-preview"), /- 3 deleted/);
    assert.deepEqual(await stack.snapshots(), []);
  });

  it("removes a snapshot together with the package, and names the missing package in a refresh", async () => {
    const workbench = await stack.workbench.copy("snapshot-removed");
    stack.project = await workbench.project("program", { program: shopProgram });
    await stack.project.configure(stack.sandbox);
    await stack.up();
    await writeFile(join(stack.project.directory, "index.ts"), "export const nothing = true;\n");
    await rm(join(workbench.directory, "node_modules/pulumi-project-service"));
    const message = /needs its package in the program's folder: npm install/g;
    const printed = await stack.fail("refresh", "--yes", "--skip-preview");
    const [, diagnostics = ""] = printed.split("Diagnostics:");
    assert.equal(diagnostics.match(message)?.length, 1, printed);
    assert.match(await stack.succeed("preview"), /- 1 to delete/);
    assert.match(await stack.up(), /- 1 deleted/);
    assert.deepEqual(await stack.snapshots(), []);
  });
});
