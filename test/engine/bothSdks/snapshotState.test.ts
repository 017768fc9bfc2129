import assert from "node:assert/strict";
import { createServer } from "node:net";
import {
  expectNoChanges,
  shopProgram,
  snapshotImports,
  useSnapshotStack,
} from "../../support/snapshotStack.js";
import { startSandbox } from "../../support/testSandbox.js";

describe("the state of a ProjectSnapshot on the real engine", () => {
  const stack = useSnapshotStack();

  it("keeps a project while the service is unreachable or rejects the recorded password, and deletes it when the service no longer has it", async () => {
    await stack.start("snapshot-gone", shopProgram);
    await stack.up();
    const before = await stack.snapshots();
    const port = Number(new URL(stack.sandbox.connection.baseUrl).port);
    await stack.sandbox.close();
    // The port stays in use: the engine could take a free one.
    const hangingUp = createServer((socket) => socket.destroy()).listen(port, "127.0.0.1");
    assert.match(
      await stack.fail("refresh", "--yes"),
      /error: Preview failed: .* failed: no response from 127\.0\.0\.1:\d+ \(ECONNRESET\)\. Check (baseUrl|authUrl) and the network\./,
    );
    assert.deepEqual(await stack.snapshots(), before);
    await new Promise((resolve) => hangingUp.close(resolve));

    const password = "an0ther-p4ssword-of-the-reader";
    stack.sandbox = await startSandbox({ port, password });
    await stack.project.configure(stack.sandbox);
    assert.match(
      await stack.fail("refresh", "--yes"),
      /the user name or the password was rejected \(401, invalid_grant\)\. Check username and password\..* run pulumi up --refresh=false, or pulumi refresh --run-program/,
    );
    assert.deepEqual(await stack.snapshots(), before);
    await stack.succeed("refresh", "--yes", "--skip-preview", "--run-program");
    stack.sandbox.projects = stack.sandbox.projects.slice(1);
    assert.match(await stack.refresh(), /- +pulumi-nodejs:\S+:ProjectSnapshot shop deleted/);
    assert.deepEqual(await stack.snapshots(), []);
  });

  it("keeps inputs that a transformation added in a refresh", async () => {
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
  });
});
