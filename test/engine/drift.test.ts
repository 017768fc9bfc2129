import assert from "node:assert/strict";
import { join } from "node:path";
import { startFleetServer } from "../support/fleetServer.js";
import { credentialsIn, LeakSearch } from "../support/leakSearch.js";
import { snapshotImports, type SnapshotStack, useSnapshotStack } from "../support/snapshotStack.js";
import { type Sandbox, sampleProjects } from "../support/testSandbox.js";
import { configOf, resultOf, run } from "../support/workbench.js";

/** Runs the installed command `drift` in the folder of a stack, and searches what it prints for secrets. */
async function look(stack: SnapshotStack, variables: Record<string, string> = {}) {
  const { directory, environment } = stack.project;
  const env = { ...process.env, ...environment, PULUMI_STACK: "test", ...variables };
  const bin = join(stack.workbench.directory, "node_modules/.bin/pulumi-project-service");
  const result = await resultOf(run(bin, ["drift"], { cwd: directory, env }));
  const secrets = [...stack.secrets(), ...credentialsIn(sampleProjects())];
  new LeakSearch(secrets).text("pulumi-project-service drift", result.stdout + result.stderr);
  return result;
}

const noDrift = 0;
const drift = 7;
const cannotCheck = 2;

/** Runs the command. It must print these lines, with two spaces between columns. `…` stands for the rest of a line. */
async function assertPrints(
  stack: SnapshotStack,
  exitCode: number,
  lines: readonly string[],
  variables: Record<string, string> = {},
) {
  const { code, stdout, stderr } = await look(stack, variables);
  assert.equal(code, exitCode, stdout + stderr);
  const printed = (stdout + stderr).split("\n").map((each) => each.replace(/ {2,}/g, "  "));
  for (const line of lines) {
    const found = line.endsWith("…")
      ? printed.some((each) => each.startsWith(line.slice(0, -1)))
      : printed.includes(line);
    assert.ok(found, `${line}\n${printed.join("\n")}`);
  }
}

/** Prepares a stack with a recorded program. Before each test, everything is as it was recorded. */
function useRecorded(name: string, program: string): SnapshotStack {
  const stack = useSnapshotStack({ sandboxFor: "suite" });
  before(() => stack.startWithThree(name, program));
  beforeEach(async () => {
    stack.sandbox.projects = sampleProjects().slice(0, 3);
    stack.sandbox.forbiddenProjectIds.clear();
    await stack.setProgram(program);
  });
  return stack;
}

/** Returns the environment `live` of the project `shop`. */
function liveOf({ projects }: Sandbox) {
  return projects[0]!.projectEnvironments.find(({ environmentId }) => environmentId === "live")!;
}

const one = "Drift: 1 change in 1 project. To accept them, run pulumi up.";

describe("drift of a project that two snapshots record on the real engine", () => {
  const fleet = `new ProjectsSnapshot("fleet", { includeCredentials: true });\n`;
  const shop = `new ProjectSnapshot("shop", { name: "shop", includeCredentials: true });\n`;
  const stack = useRecorded("drift-of-both", snapshotImports + fleet + shop);

  it("is not found if nothing changed, also if the program fails or would make something else", async () => {
    for (const program of [
      snapshotImports + fleet + shop,
      'throw new Error("the program fails");',
      `${snapshotImports}new pulumi.Stash("other", { input: "1" });`,
    ]) {
      await stack.setProgram(program);
      await assertPrints(stack, noDrift, ["No drift: 3 projects are as recorded."]);
    }
  });

  it("is found if fields changed, a project was added, and others were deleted", async () => {
    const live = liveOf(stack.sandbox);
    live.projectEnvironmentCode.webroot = "/srv/shop";
    live.projectEnvironmentDatabases.databases[0]!.allowedIP = null;
    stack.sandbox.projects.splice(2, 1, sampleProjects()[3]!);
    await assertPrints(stack, drift, [
      "Stack test of drift-of-both, compared with the service at …",
      "shop (p-1)  live  webroot  /var/www/shop/live/current/public → /srv/shop",
      "shop (p-1)  live  database shop_live  allowedIP  203.0.113.7 → null",
      "careers (p-4)  added",
      "intranet (p-3)  removed",
      "By field: databases.allowedIP 2, webroot 2, added 1, removed 1.",
      "Drift: 6 changes in 3 projects. …", // The two of the shop count in each snapshot.
    ]);
    stack.sandbox.projects.splice(0, 1);
    stack.sandbox.projects.push({ ...sampleProjects()[4]!, name: "shop" });
    await assertPrints(stack, drift, ["shop (p-1)  removed; p-5 has its name now"]);
  });

  it("is found in both if a password changed", async () => {
    const [database] = liveOf(stack.sandbox).projectEnvironmentDatabases.databases;
    database!.password = "r0tated-p4ssword-of-the-shop";
    await assertPrints(stack, drift, [
      "credentials changed", // of the fleet, which has one secret for all projects
      "shop (p-1)  credentials changed",
      "By field: credentials 2.",
    ]);
  });

  it("cannot be checked with a wrong passphrase, and names no secret", async () => {
    await assertPrints(stack, cannotCheck, ["Cannot check for drift: Pulumi …"], {
      PULUMI_CONFIG_PASSPHRASE: "wr0ng-passphrase",
    });
  });

  it("cannot be checked for the snapshot with a project to which the service denies access", async () => {
    stack.sandbox.forbiddenProjectIds.add("p-2");
    await assertPrints(stack, cannotCheck, [
      "ProjectsSnapshot fleet: Reading project p-2 failed: the service denied access (403). …",
      "No drift: 1 project is as recorded.",
      "Cannot check for drift of 1 snapshot: see the report.",
    ]);
  });

  it("cannot be checked if the list omits a project that can be read", async () => {
    const server = await startFleetServer(3);
    await stack.project.configure(stack.sandbox, { baseUrl: server.url, authUrl: server.url });
    await stack.up();
    server.unlisted.add("p-2");
    await assertPrints(stack, cannotCheck, [
      "ProjectsSnapshot fleet: Missing: 1 of 3 known projects, without proof that they were deleted: p-2 …",
    ]);
    await stack.project.configure(stack.sandbox);
    await stack.up();
  });

  it("is found in a tainted snapshot", async () => {
    for (const { urn } of await stack.snapshots()) await stack.succeed("state", "taint", urn);
    stack.sandbox.projects[0]!.domain = "other.example.com";
    await assertPrints(stack, drift, ["shop (p-1)  domain  shop.example.com → other.example.com"]);
    await stack.up();
  });
});

describe("drift of a ProjectSnapshot for each project on the real engine", () => {
  const stack = useRecorded(
    "drift-of-loop",
    `${snapshotImports}
projectService.getProjects().then(({ projects }) => {
  const parent = new pulumi.ComponentResource("example:index:Fleet", "fleet");
  for (const { projectId } of projects) {
    const ignoreChanges = projectId === "p-1" ? ["domain"] : [];
    new ProjectSnapshot(projectId, { projectId }, { ignoreChanges, parent, protect: true });
  }
});
`,
  );

  it("is found if a project was deleted", async () => {
    stack.sandbox.projects.pop();
    await assertPrints(stack, drift, ["intranet (p-3)  removed", one]);
  });

  it("does not compare what the program ignores, and says so", async () => {
    stack.sandbox.projects[0]!.domain = "ignored.example.com";
    await assertPrints(stack, noDrift, [
      "Not compared:",
      "ProjectSnapshot p-1 ignores changes of domain",
      "No drift: 3 projects are as recorded.",
    ]);
  });
});

describe("drift of fields and secrets on the real engine", () => {
  const program = `${snapshotImports}
const config = new pulumi.Config();
const close: pulumi.ResourceTransformation = ({ props, opts }) => ({
  props: { ...props, domain: pulumi.secret(props["domain"]) },
  opts,
});
new ProjectsSnapshot("fields", { fields: ["environments.webroot"] });
new ProjectsSnapshot("secret", { filters: [{ key: "name", values: [config.requireSecret("only")] }] });
new ProjectSnapshot("closed", { projectId: "p-2" }, { transformations: [close] });
new ProjectSnapshot("second", { projectId: "p-1", connection: "second" });
`;
  const stack = useSnapshotStack({ sandboxFor: "suite" });
  before(async () => {
    const second = await stack.startOther();
    await stack.start("drift-of-fields", program);
    await stack.project.setConfig({ only: { value: "shop", secret: true } });
    await stack.project.setConfig(configOf({ ...second.connection }, "second"));
    await stack.up();
  });

  it("is found in what was recorded, with no value that is secret, and in each namespace", async () => {
    await assertPrints(stack, noDrift, ["No drift: …"]);
    const [shop, blog] = stack.sandbox.projects;
    shop!.status = "NOT_RECORDED_BY_FIELDS";
    liveOf(stack.sandbox).projectEnvironmentCode.webroot = "/srv/shop";
    blog!.domain = "c4nary.example.com";
    stack.otherSandbox!.projects[0]!.domain = "second.example.com";
    const { stdout } = await look(stack);
    await assertPrints(stack, drift, [
      "shop (p-1)  live  webroot  /var/www/shop/live/current/public → /srv/shop",
      "1 project changed; an argument is secret, so none is named",
      "blog (p-2)  domain  changed",
      "shop (p-1)  domain  shop.example.com → second.example.com",
      "Drift: 4 changes in 2 projects. To accept them, run pulumi up.",
    ]);
    assert.doesNotMatch(stdout, /c4nary|NOT_RECORDED/);
  });
});
