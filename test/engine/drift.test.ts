import assert from "node:assert/strict";
import { join } from "node:path";
import { useEngine } from "../support/engineTest.js";
import { credentialsIn, LeakSearch } from "../support/leakSearch.js";
import { sampleProjects } from "../support/testSandbox.js";
import { type Project, resultOf, run } from "../support/workbench.js";

/** Records the shop in several ways, projects that no other snapshot records, and what cannot be compared. */
const program = `
const parent = new pulumi.ComponentResource("example:index:Fleet", "parent");
const ids = { key: "projectId", values: ["p-1", "p-3", "p-4"] } as const;
new ProjectsSnapshot("fleet", { filters: [ids], includeCredentials: true });
new ProjectSnapshot("shop", { name: "shop", includeCredentials: true });
new ProjectsSnapshot("fields", { fields: ["environments.webroot"] });
new ProjectSnapshot("blog", { projectId: "p-2" });
new ProjectSnapshot("second", { projectId: "p-1", connection: "second" });
new ProjectSnapshot("ignoring", { projectId: "p-5", includeCredentials: true }, { ignoreChanges: ["credentials"], parent, protect: true });
const only = new pulumi.Config().requireSecret("only");
new ProjectsSnapshot("secret", { filters: [{ key: "name", values: [only] }] });
`;

/* The unit tests compare states that they make. These show that a real state is like them. */
describe("drift on the real engine", () => {
  const engine = useEngine({ sandboxFor: "suite" });

  /** Runs the installed command in the folder of the stack, and searches what it prints for secrets. */
  async function look({ directory, environment }: Project) {
    const env = { ...process.env, ...environment, PULUMI_STACK: "test" };
    const bin = join(engine.workbench.directory, "node_modules/.bin/pulumi-project-service");
    const { code, stdout, stderr } = await resultOf(run(bin, ["drift"], { cwd: directory, env }));
    const secrets = [...engine.secrets(), ...credentialsIn(sampleProjects()), "c4nary"];
    new LeakSearch(secrets).text("pulumi-project-service drift", stdout + stderr);
    assert.match(stdout, /ProjectsSnapshot secret: .*an argument or additionalSecretOutputs makes/);
    return { code, stdout: stdout.replace(/ {2,}/g, "  ") };
  }

  it("is found in each snapshot and namespace, without a value that is secret or ignored, also if the program fails", async () => {
    const second = await engine.startSandbox();
    const samples = sampleProjects();
    engine.sandbox.projects = [...samples.slice(0, 3), samples[4]!, samples[5]!];
    engine.sandbox.projects[4]!.name = "c4nary";
    const stack = await engine.stack("drift-of-all", program);
    await stack.configure(second, {}, "second");
    await stack.setConfig({ only: { value: "c4nary", secret: true } });
    await stack.up();
    await stack.setProgram('throw new Error("the program fails");');
    const before = await look(stack);
    assert.equal(before.code, 2, before.stdout);
    assert.match(before.stdout, /^ProjectSnapshot ignoring ignores changes of credentials$/m);
    assert.match(
      before.stdout,
      /^Cannot check for drift: at least one snapshot was not compared\.$/m,
    );

    engine.environment().projectEnvironmentCode.webroot = "/srv/shop";
    engine.liveDatabase().password = "r0tated-p4ssword-of-the-shop";
    engine.liveDatabase("p-5").password = "ign0red-p4ssword";
    const [shop, blog, , ...others] = engine.sandbox.projects;
    blog!.domain = "new.example.com";
    engine.sandbox.projects = [shop!, blog!, samples[3]!, ...others];
    second.projects[0]!.domain = "second.example.com";
    const { code, stdout } = await look(stack);
    assert.equal(code, 2, stdout);
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
      assert.ok(stdout.split("\n").includes(line), `${line}\n${stdout}`);
    }
    assert.match(stdout, /pulumi up can also delete .* Run pulumi preview first\.\n$/);
    assert.doesNotMatch(stdout, /ProjectSnapshot ignoring\n/);
  });
});
