import assert from "node:assert/strict";
import { join } from "node:path";
import { credentialsIn, LeakSearch } from "../support/leakSearch.js";
import { snapshotImports, useSnapshotStack } from "../support/snapshotStack.js";
import { sampleProjects } from "../support/testSandbox.js";
import { configOf, resultOf, run } from "../support/workbench.js";

/** Records the shop in several ways, and projects that no other snapshot records. */
const program = `${snapshotImports}
const parent = new pulumi.ComponentResource("example:index:Fleet", "parent");
const ids = { key: "projectId", values: ["p-1", "p-3", "p-4"] } as const;
new ProjectsSnapshot("fleet", { filters: [ids], includeCredentials: true });
new ProjectSnapshot("shop", { name: "shop", includeCredentials: true });
new ProjectsSnapshot("fields", { fields: ["environments.webroot"] });
new ProjectSnapshot("blog", { projectId: "p-2" });
new ProjectSnapshot("second", { projectId: "p-1", connection: "second" });
new ProjectSnapshot("ignoring", { projectId: "p-5", includeCredentials: true }, { ignoreChanges: ["credentials"], parent, protect: true });
`;

/** Snapshots that cannot be compared. */
const others = `
const only = new pulumi.Config().requireSecret("only");
new ProjectsSnapshot("secret", { filters: [{ key: "name", values: [only] }] });
`;

/* The unit tests compare states that they make. These show that a real state is like them. */
describe("drift on the real engine", () => {
  const stack = useSnapshotStack({ sandboxFor: "suite" });
  const projectsBut = (id: string) => sampleProjects().filter(({ _id }) => _id !== id);
  before(async () => {
    const second = await stack.startOther();
    stack.sandbox.projects = projectsBut("p-4").slice(0, 4);
    await stack.start("drift-of-all", program);
    await stack.project.setConfig({ only: { value: "c4nary", secret: true } });
    await stack.project.setConfig(configOf({ ...second.connection }, "second"));
    await stack.up();
  });

  /** Runs the installed command in the folder of the stack, and searches what it prints for secrets. */
  async function look(variables: Record<string, string> = {}) {
    const { directory, environment } = stack.project;
    const env = { ...process.env, ...environment, PULUMI_STACK: "test", ...variables };
    const bin = join(stack.workbench.directory, "node_modules/.bin/pulumi-project-service");
    const { code, stdout, stderr } = await resultOf(run(bin, ["drift"], { cwd: directory, env }));
    const secrets = [...stack.secrets(), ...credentialsIn(sampleProjects())];
    new LeakSearch(secrets).text("pulumi-project-service drift", stdout + stderr);
    return { code, printed: (stdout + stderr).replace(/ {2,}/g, "  ") };
  }

  it("is not found if nothing changed, also if the program fails", async () => {
    await stack.setProgram('throw new Error("the program fails");');
    const { code, printed } = await look();
    assert.equal(code, 0, printed);
    assert.match(printed, /^ProjectSnapshot ignoring ignores changes of credentials$/m);
    assert.match(printed, /^No drift: 5 projects are as recorded\.$/m);
  });

  it("cannot be checked with a wrong passphrase, and names no secret", async () => {
    const { code, printed } = await look({ PULUMI_CONFIG_PASSPHRASE: "wr0ng-passphrase" });
    assert.equal(code, 2, printed);
    assert.match(printed, /^Cannot check for drift: Pulumi /m);
  });

  it("is found in each snapshot and namespace, without a value that is secret or ignored", async () => {
    const [shop, blog] = stack.sandbox.projects;
    const live = stack.environment("p-1");
    live.projectEnvironmentCode.webroot = "/srv/shop";
    live.projectEnvironmentDatabases.databases[0]!.password = "r0tated-p4ssword-of-the-shop";
    blog!.domain = "new.example.com";
    const added = sampleProjects().find(({ _id }) => _id === "p-4")!;
    const last = stack.sandbox.projects[3]!;
    last.projectEnvironments[0]!.projectEnvironmentDatabases.databases[0]!.password =
      "ign0red-p4ssword";
    stack.sandbox.projects = [shop!, blog!, added, last];
    stack.otherSandbox!.projects[0]!.domain = "second.example.com";
    const { code, printed } = await look();
    assert.equal(code, 7, printed);
    for (const line of [
      "ProjectsSnapshot fleet",
      "shop (p-1)  live  webroot  /var/www/shop/live/current/public → /srv/shop",
      "shop (p-1)  credentials changed",
      "careers (p-4)  added",
      "intranet (p-3)  removed",
      "credentials changed", // of the fleet, which has one secret for all projects
      "blog (p-2)  domain  blog.example.com → new.example.com",
      "shop (p-1)  domain  shop.example.com → second.example.com",
    ]) {
      assert.ok(printed.split("\n").includes(line), `${line}\n${printed}`);
    }
    assert.match(printed, /pulumi up would also delete .* Run pulumi preview first\.\n$/);
    assert.doesNotMatch(printed, /ProjectSnapshot ignoring\n/);
  });

  it("cannot be found in a snapshot with a secret argument", async () => {
    stack.sandbox.projects[2]!.name = "c4nary";
    await stack.setProgram(program + others);
    await stack.up();
    const { code, printed } = await look();
    assert.equal(code, 2, printed);
    assert.match(printed, /ProjectsSnapshot secret: .*an argument is secret/);
    assert.doesNotMatch(printed, /c4nary/);
  });
});
