import assert from "node:assert/strict";
import { appendFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import {
  expectNoChanges,
  shopProgram,
  snapshotImports,
  useSnapshotStack,
} from "../../support/snapshotStack.js";

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
      const signIns = stack.sandbox.counters.passwordGrants;
      delete process.env["PROJECT_SERVICE_PASSWORD"];
      assert.match(await stack.fail("refresh", "--yes"), /PROJECT_SERVICE_PASSWORD/);
      assert.equal(stack.sandbox.counters.passwordGrants, signIns);
    } finally {
      for (const name of Object.keys(stack.sandbox.environment)) delete process.env[name];
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
    const before = await stack.snapshots();
    const other = await stack.startSandbox();
    stack.otherSandboxes.push(other);
    other.projects = other.projects.slice(0, 1);
    await stack.project.configure(other);
    assert.match(await stack.fail("up", "--yes", "--skip-preview"), /There is no project named/);

    const printed = await stack.fail("refresh", "--yes", "--skip-preview");
    const [recorded, named] = [stack.sandbox, other].map(({ connection }) => connection.baseUrl);
    assert.match(
      printed,
      new RegExp(
        `The service at ${recorded}/api/project/v5 was recorded, but the settings name ${named}/api/project/v5\\. The state stays as it is\\. .*run pulumi up --refresh=false`,
      ),
    );
    const recordedUrns = (await stack.snapshots()).map(({ urn }) => urn);
    assert.deepEqual(recordedUrns.sort(), before.map(({ urn }) => urn).sort());

    other.projects = stack.sandbox.projects;
    // The failed update has recorded the shop of the other service.
    for (const printed of [await stack.succeed("preview"), await stack.up()]) {
      for (const id of ["p-2", "p-3"]) {
        const moved = `recorded from the service at ${recorded}/api/project/v5, now read from ${named}/api/project/v5`;
        assert.ok(
          printed.includes(`warning: project ${id}: ${moved}. If this is a mistake,`),
          printed,
        );
      }
      assert.doesNotMatch(printed, /warning: project p-1/);
    }

    await stack.project.configure(stack.sandbox);
    assert.match(
      await stack.succeed("up", "--yes", "--skip-preview", "--refresh=false"),
      /4 unchanged|updated/,
    );
    await stack.refresh();
  });

  it("keeps inputs that a transformation added in a refresh, and says how to destroy without the service", async () => {
    const program = `${snapshotImports}
const added = { team: "shop", note: pulumi.secret("c4nary-note") };
pulumi.runtime.registerStackTransformation(({ type, props, opts }) =>
  /:(Project|Projects)Snapshot$/.test(type) ? { props: { ...props, ...added }, opts } : undefined,
);
new ProjectSnapshot("shop", { name: "shop" });
new projectService.ProjectsSnapshot("fleet", { fields: ["domain"], includeCredentials: true });
`;
    await stack.start("snapshot-transformed", program);
    await stack.up();
    stack.environment("p-1").projectEnvironmentCode.webroot = "/srv/shop";
    Object.assign(stack.sandbox.projects[0]!, { domain: null });
    assert.match(await stack.refresh(), /~ 2 updated/);
    await stack.succeed(...expectNoChanges);
    const state = await stack.project.state();
    assert.equal(state.match(/"team": *"shop"/g)?.length, 4);
    assert.doesNotMatch(state, /c4nary-note/);

    const file = join(stack.project.directory, "Pulumi.yaml");
    await appendFile(file, "options:\n  refresh: always\n");
    await stack.sandbox.close();
    assert.match(
      await stack.fail("destroy", "--yes", "--skip-preview"),
      /pulumi destroy --refresh=false does not read the service\./,
    );
    await stack.succeed("destroy", "--yes", "--skip-preview", "--refresh=false");
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
    assert.match(await stack.up(), /- 1 deleted/);
    assert.deepEqual(await stack.snapshots(), []);
  });
});
