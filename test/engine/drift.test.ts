import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sampleProjects, sandboxProject } from "../../sandbox/index.js";
import { fleetImports, useFleetStack } from "../support/fleetStack.js";
import { expectNoChanges } from "../support/snapshotStack.js";
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

  it("finds changes of recorded fields only, and other fields are a change of the program", async () => {
    const recording = (fields: string) =>
      `${fleetImports}
const { projects } = new ProjectsSnapshot("fleet", { ${fields}, includeCredentials: true });
export const webroot = projects.apply((all) => all["p-1"]?.environments[0]?.webroot);
`;
    const webroot = 'fields: ["environments.webroot"]';
    await stack.startWithThree("drift-fields", recording(webroot));
    const recorded = await stack.recorded();
    assert.deepEqual(
      Object.values(recorded.projects).map((project) => Object.keys(project).sort()),
      Array(3).fill(["environments", "missingFields", "name", "projectId"]),
    );
    assert.deepEqual(Object.keys(recorded.projects["p-1"]!.environments[0]!).sort(), [
      "environmentId",
      "missingFields",
      "webroot",
    ]);
    assert.ok(recorded.credentials);
    assert.equal((await look()).code, 0);

    const [shop, blog] = stack.sandbox.projects;
    shop!.projectEnvironments[0]!.projectEnvironmentCode.webroot = "/srv/shop";
    blog!.domain = "other.example.com";
    const line =
      "shop (p-1)  live  webroot  /var/www/shop/live/current/public → /srv/shop\n\n" as const;
    const drift =
      "Drift: 1 change in 1 project. If this is all right, pulumi up records it.\n" as const;
    const changed = await look();
    assert.equal(changed.code, 7, changed.stderr);
    assert.equal(changed.stdout, `${line}${drift}`);

    const more = 'fields: ["environments.webroot", "domain", "environments.databases"]';
    await setProgram(recording(more));
    const widened = await look();
    assert.equal(widened.code, 7, widened.stderr);
    const program =
      'Changes of the program, no drift:\nProjectsSnapshot fleet: fields ["environments.webroot"] → ["environments.webroot","domain","environments.databases"]\n\n';
    assert.equal(widened.stdout, `${line}${program}${drift}`);

    assert.match(await stack.succeed("preview"), /~ +1 to update\n +1 unchanged/);
    assert.doesNotMatch(await stack.up(), /replac|creat|delet/);
    assert.equal((await look()).code, 0);
    blog!.domain = "third.example.com";
    blog!.status = "NOT_RECORDED";
    await stack.refresh();
    await stack.succeed(...expectNoChanges);
    const refreshed = (await stack.recorded()).projects["p-2"] as { domain?: string };
    assert.equal(refreshed.domain, "third.example.com");
    assert.equal(Object.hasOwn(refreshed, "status"), false);

    stack.sandbox.forbiddenProjectIds.add("p-2");
    await expectFailure(/FORBIDDEN[^]*p-2/);
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
