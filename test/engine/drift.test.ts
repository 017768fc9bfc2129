import assert from "node:assert/strict";
import { join } from "node:path";
import { credentialsIn, LeakSearch } from "../support/leakSearch.js";
import { snapshotImports, type SnapshotStack, useSnapshotStack } from "../support/snapshotStack.js";
import { type Sandbox, sampleProjects } from "../support/testSandbox.js";
import { resultOf, run } from "../support/workbench.js";

/** Runs the installed command `drift` in the folder of a stack, and searches what it prints for secrets. */
async function look(stack: SnapshotStack) {
  const { directory, environment } = stack.project;
  const env = { ...process.env, ...environment, PULUMI_STACK: "test" };
  const bin = join(stack.workbench.directory, "node_modules/.bin/pulumi-project-service");
  const result = await resultOf(run(bin, ["drift"], { cwd: directory, env }));
  const secrets = [...stack.secrets(), ...credentialsIn(sampleProjects())];
  new LeakSearch(secrets).text("pulumi-project-service drift", result.stdout + result.stderr);
  return result;
}

/** What the command ends with if there is no drift, if there is, and if it could not look. */
const noDrift = 0;
const drift = 7;
const couldNotLook = 2;

/** Runs the command. It must print these lines, with two spaces between columns. `…` stands for the rest of a line. */
async function assertPrints(stack: SnapshotStack, exitCode: number, lines: readonly string[]) {
  const { code, stdout, stderr } = await look(stack);
  assert.equal(code, exitCode, stdout + stderr);
  if (code === couldNotLook) {
    assert.equal(stdout, "");
    assert.match(stderr, /^Could not look for drift: /m);
  } else assert.match(stdout, code === drift ? /^Drift: \d+ change/m : /^No drift: /m);
  const printed = (code === couldNotLook ? stderr : stdout)
    .split("\n")
    // Pulumi begins the line of an error with `error: `, or prints that before the line.
    .map((each) => each.replace(/^error: (?=ProjectServiceError)/, "").replace(/ {2,}/g, "  "));
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

describe("drift of a project that two snapshots record on the real engine", () => {
  const fleet = `new ProjectsSnapshot("fleet", { includeCredentials: true });\n`;
  const shop = `new ProjectSnapshot("shop", { name: "shop", includeCredentials: true });\n`;
  const stack = useRecorded("drift-of-both", snapshotImports + fleet + shop);

  it("is not found if nothing changed", async () => {
    await assertPrints(stack, noDrift, ["No drift: 3 projects are as recorded."]);
  });

  it("is found if fields changed, a project was added, and another was deleted", async () => {
    const live = liveOf(stack.sandbox);
    live.projectEnvironmentCode.webroot = "/srv/shop";
    live.projectEnvironmentDatabases.databases[0]!.allowedIP = null;
    stack.sandbox.projects.splice(2, 1, sampleProjects()[3]!);
    await assertPrints(stack, drift, [
      "shop (p-1)  live  webroot  /var/www/shop/live/current/public → /srv/shop",
      "shop (p-1)  live  database shop_live  allowedIP  203.0.113.7 → null",
      "careers (p-4)  added",
      "intranet (p-3)  removed",
      "ProjectsSnapshot fleet: credentials, because other projects are recorded",
      "Drift: 6 changes in 3 projects. …", // The two of the shop count in each snapshot.
    ]);
  });

  it("is found in both if a password changed", async () => {
    const [database] = liveOf(stack.sandbox).projectEnvironmentDatabases.databases;
    database!.password = "r0tated-p4ssword-of-the-shop";
    await assertPrints(stack, drift, [
      "credentials changed", // of the fleet, which has one secret for all projects
      "shop (p-1)  credentials changed",
      "Drift: 2 changes in 1 project. If this is all right, pulumi up records it.",
    ]);
  });

  it("is not found after changes to the program: a new resource, a new snapshot, and other filters", async () => {
    await stack.setProgram(`${snapshotImports}
new ProjectsSnapshot("fleet", {
  includeCredentials: true,
  filters: [{ key: "type", values: ["TYPO3"] }],
});
${shop}
new ProjectSnapshot("blog", { name: "blog" });
new pulumi.Stash("other", { input: "1" });
`);
    await assertPrints(stack, noDrift, [
      "Changes to the program, no drift:",
      'ProjectsSnapshot fleet: filters (none) → [{"key":"type","values":["TYPO3"]}]',
      "ProjectSnapshot blog is new in the program",
      "Other resources, no drift: 1 to create.",
    ]);
  });

  it("is not looked for if what a snapshot reads or waits for comes from a new resource", async () => {
    const added = `const added = new pulumi.Stash("new", { input: "1" });\n`;
    for (const [snapshot, program] of [
      [
        "ProjectsSnapshot fleet",
        `${shop}new ProjectsSnapshot("fleet", { includeCredentials: true }, { dependsOn: added });`,
      ],
      ["ProjectSnapshot shop", `${fleet}new ProjectSnapshot("shop", { name: added.id });`],
    ] as const) {
      await stack.setProgram(snapshotImports + added + program);
      await assertPrints(stack, couldNotLook, [
        `Could not look for drift: the preview does not know yet what ${snapshot} will read. Run pulumi up first.`,
      ]);
    }
  });

  it("is not looked for if the service denies access to a project", async () => {
    stack.sandbox.forbiddenProjectIds.add("p-2");
    await assertPrints(stack, couldNotLook, [
      "ProjectServiceError [FORBIDDEN]: Reading project p-2 failed: the service denied access (403). …",
      "Could not look for drift: pulumi preview failed, so no snapshot was compared.",
    ]);
  });
});

describe("drift of a ProjectSnapshot for each project on the real engine", () => {
  const stack = useRecorded(
    "drift-of-loop",
    `${snapshotImports}
projectService.getProjects().then(({ projects }) => {
  for (const { projectId } of projects) {
    new ProjectSnapshot(projectId, { projectId }, { ignoreChanges: ["domain"] });
  }
});
`,
  );

  it("is not looked for if a project was deleted", async () => {
    stack.sandbox.projects.pop();
    await assertPrints(stack, couldNotLook, [
      "Could not look for drift: ProjectSnapshot p-3 is recorded, but not in this preview. …",
    ]);
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

describe("drift of some fields on the real engine", () => {
  const program = (fields: string) => `${snapshotImports}
const { projects } = new ProjectsSnapshot("fleet", { fields: [${fields}], includeCredentials: true });
export const webroot = projects.apply((all) => all["p-1"]?.environments[0]?.webroot);
`;
  const stack = useRecorded("drift-of-fields", program('"environments.webroot"'));
  const wider = program('"environments.webroot", "domain", "environments.databases"');

  it("is found in recorded fields only, and other fields are a change of the program", async () => {
    const [, blog] = stack.sandbox.projects;
    liveOf(stack.sandbox).projectEnvironmentCode.webroot = "/srv/shop";
    blog!.domain = "other.example.com";
    const change = "shop (p-1)  live  webroot  /var/www/shop/live/current/public → /srv/shop";
    const summary = "Drift: 1 change in 1 project. If this is all right, pulumi up records it.";
    await assertPrints(stack, drift, [change, summary]);

    await stack.setProgram(wider);
    const programChange =
      'ProjectsSnapshot fleet: fields ["environments.webroot"] → ["environments.webroot","domain","environments.databases"]';
    await assertPrints(stack, drift, [change, programChange, summary]);
  });

  it("is not found in other fields once up has recorded them, and a refresh reads only these", async () => {
    const [, blog] = stack.sandbox.projects;
    await stack.setProgram(wider);
    assert.doesNotMatch(await stack.up(), /replac|creat|delet/);
    assert.equal((await look(stack)).code, noDrift);
    blog!.domain = "third.example.com";
    blog!.status = "NOT_RECORDED";
    await stack.refresh();
    const refreshed = (await stack.recorded()).projects["p-2"] as { domain?: string };
    assert.equal(refreshed.domain, "third.example.com");
    assert.equal(Object.hasOwn(refreshed, "status"), false);
  });
});
