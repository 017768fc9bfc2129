import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sampleProjects, sandboxProject } from "../../sandbox/index.js";
import { fleetImports, useFleetStack } from "../support/fleetStack.js";
import { LeakSearch, secretsOf } from "../support/leakSearch.js";
import { type CommandResult, resultOf, run } from "../support/workbench.js";

/** A program that records three projects as one resource, and the first of them also by itself. */
const program = `${fleetImports}
const fleet = new ProjectsSnapshot("fleet", { includeCredentials: true });
const shop = new ProjectSnapshot("shop", { name: "shop" });
`;

/** A program that records the fleet only. */
const fleetOnly = `${fleetImports}
const fleet = new ProjectsSnapshot("fleet", { includeCredentials: true });
`;

describe("project-service drift on the real engine", () => {
  const stack = useFleetStack();

  /** Runs the installed command in the folder of the stack. Searches what it prints for secrets. */
  async function look(
    environment: Record<string, string> = {},
    ...args: string[]
  ): Promise<CommandResult> {
    const { directory, environment: settings } = stack.project;
    const env = { ...process.env, ...settings, PULUMI_STACK: "test", ...environment };
    const bin = join(stack.workbench.directory, "node_modules/.bin/project-service");
    const result = await resultOf(run(bin, ["drift", ...args], { cwd: directory, env }));
    const search = new LeakSearch(secretsOf(stack.sandbox));
    search.text("project-service drift", result.stdout + result.stderr);
    return result;
  }

  async function expectFailure(message: RegExp, environment?: Record<string, string>) {
    const { code, stdout, stderr } = await look(environment);
    assert.equal(code, 2, stdout + stderr);
    assert.equal(stdout, "");
    assert.match(stderr, message);
  }

  const setProgram = (text: string) => writeFile(join(stack.project.directory, "index.ts"), text);

  it("finds no drift, and then each change of the service, but not another resource", async () => {
    await stack.startWithThree("drift-lines", program);
    const unchanged = await look();
    assert.equal(unchanged.code, 0, unchanged.stderr);
    assert.equal(unchanged.stdout, "No drift: 4 projects are as recorded.\n");

    const [shop, blog] = stack.sandbox.projects;
    assert.ok(shop && blog);
    const [live] = shop.projectEnvironments;
    live!.projectEnvironmentCode.webroot = "/srv/shop";
    live!.projectEnvironmentDatabases.databases[0]!.password = "r0tated-p4ssword-of-the-shop";
    const [first] = sandboxProject({
      name: "shop",
      projectEnvironments: [{ environmentId: "first" }],
    }).projectEnvironments;
    shop.projectEnvironments.unshift(first!);
    stack.sandbox.projects = [sampleProjects()[3]!, blog, shop];
    await setProgram(`${program}new pulumi.Stash("other", { input: "1" });`);
    const { code, stdout, stderr } = await look();
    assert.equal(code, 7, stderr);
    assert.match(stdout, /^ProjectsSnapshot fleet\ncareers \(p-4\) +added\n/);
    assert.match(stdout, /\nintranet \(p-3\) {2}removed\n/);
    assert.match(stdout, /\nshop \(p-1\) +first {2}added\n/);
    assert.match(stdout, /\ncredentials changed\n\nProjectSnapshot shop\n/);
    assert.match(stdout, /\nshop \(p-1\) {2}credentials changed\n/);
    assert.match(
      stdout,
      /\nshop \(p-1\) +live {2}webroot {2}\/var\/www\/shop\/live\/current\/public → \/srv\/shop\n/,
    );
    assert.match(
      stdout,
      /\n\nOther resources, no drift: 1 to create\.\n\nDrift: \d+ changes in 3 /,
    );
  });

  it("says why it could not look", async () => {
    await stack.startWithThree("drift-failures", program);
    const projects = [...stack.sandbox.projects];
    await stack.project.configure(stack.sandbox, { password: "another-p4ssword" });
    await expectFailure(/LOGIN_REJECTED/);
    await stack.project.configure(stack.sandbox);
    stack.sandbox.forbiddenProjectIds.add("p-2");
    await expectFailure(/preview failed, so no snapshot was compared[^]*FORBIDDEN[^]*p-2/);
    stack.sandbox.forbiddenProjectIds.clear();

    stack.sandbox.projects = projects.slice(1);
    await expectFailure(
      /NOT_FOUND[^]*no project named "shop"[^]*the other snapshots were not compar/,
    );
    stack.sandbox.projects = projects;

    const other = await stack.startSandbox();
    stack.otherSandboxes.push(other);
    await stack.project.configure(other);
    await expectFailure(
      new RegExp(
        `has recorded the service at ${stack.sandbox.connection.baseUrl}/.* name ${other.connection.baseUrl}/`,
      ),
    );
    await stack.project.configure(stack.sandbox);

    await setProgram("const shop = ;");
    await expectFailure(/TS1109: Expression expected/);
    await expectFailure(/no stack named|stack 'missing'|no stack/, { PULUMI_STACK: "missing" });
    await setProgram(program);
    await stack.sandbox.close();
    await expectFailure(/UNREACHABLE/);
  });

  it("asks for pulumi up if nothing is recorded", async () => {
    await stack.start("drift-unrecorded", fleetOnly);
    await expectFailure(/no snapshot is recorded\. Run pulumi up first/);
  });
});
