import assert from "node:assert/strict";
import { join } from "node:path";
import { credentialsIn, LeakSearch } from "../support/leakSearch.js";
import { snapshotImports, type SnapshotStack, useSnapshotStack } from "../support/snapshotStack.js";
import { type Sandbox, sampleProjects, sandboxProject } from "../support/testSandbox.js";
import { resultOf, run } from "../support/workbench.js";

/**
 * Runs the installed command `drift` in the folder of a stack, and searches what it prints for secrets. In that,
 * the services have the addresses projects.example.com and other.example.com.
 */
async function look(stack: SnapshotStack) {
  const { directory, environment } = stack.project;
  const env = { ...process.env, ...environment, PULUMI_STACK: "test" };
  const bin = join(stack.workbench.directory, "node_modules/.bin/pulumi-project-service");
  const { code, stdout, stderr } = await resultOf(run(bin, ["drift"], { cwd: directory, env }));
  const secrets = [...stack.secrets(), ...credentialsIn(sampleProjects())];
  new LeakSearch(secrets).text("pulumi-project-service drift", stdout + stderr);
  const documented = (text: string) =>
    withAddress(
      withAddress(text, stack.sandbox, "projects.example.com"),
      stack.otherSandbox,
      "other.example.com",
    );
  return { code, stdout: documented(stdout), stderr: documented(stderr) };
}

function withAddress(text: string, sandbox: Sandbox | undefined, documented: string): string {
  if (sandbox === undefined) return text;
  const { origin, host } = new URL(sandbox.connection.baseUrl);
  return text.replaceAll(origin, `https://${documented}`).replaceAll(host, documented);
}

/** What the command ends with if there is no drift, if there is, and if it could not look. */
const noDrift = 0;
const drift = 7;
const couldNotLook = 2;

/** Runs the command. It must print these lines, with two spaces between columns. `…` stands for the rest of a line. */
async function assertPrints(
  stack: SnapshotStack,
  exitCode: 0 | 2 | 7,
  lines: readonly string[],
): Promise<void> {
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
    await stack.project.configure(stack.sandbox);
  });
  return stack;
}

/** Returns the environment `live` of the project `shop`. */
function liveOf({ projects }: Sandbox) {
  return projects[0]!.projectEnvironments.find(({ environmentId }) => environmentId === "live")!;
}

function rotatePassword(sandbox: Sandbox): void {
  const [database] = liveOf(sandbox).projectEnvironmentDatabases.databases;
  database!.password = "r0tated-p4ssword-of-the-shop";
}

describe("drift of a ProjectsSnapshot on the real engine", () => {
  const stack = useRecorded(
    "drift-of-fleet",
    `${snapshotImports}
new ProjectsSnapshot("fleet", { includeCredentials: true });
`,
  );

  /** Changes a webroot, and whom a database lets in. */
  function changeFields(): void {
    const live = liveOf(stack.sandbox);
    live.projectEnvironmentCode.webroot = "/srv/shop";
    live.projectEnvironmentDatabases.databases[0]!.allowedIP = null;
  }

  it("is found if fields changed, a project was added, and another was deleted", async () => {
    changeFields();
    stack.sandbox.projects.splice(2, 1, sampleProjects()[3]!);
    await assertPrints(stack, drift, [
      "shop (p-1)  live  webroot  /var/www/shop/live/current/public → /srv/shop",
      "shop (p-1)  live  database shop_live  allowedIP  203.0.113.7 → null",
      "careers (p-4)  added",
      "intranet (p-3)  removed",
      "ProjectsSnapshot fleet: credentials, because other projects are recorded",
      "Drift: 4 changes in 3 projects. …",
    ]);
  });

  it("is not found after changes to the program: a new resource, a new snapshot, and other filters", async () => {
    await stack.setProgram(`${snapshotImports}
new ProjectsSnapshot("fleet", {
  includeCredentials: true,
  filters: [{ key: "type", values: ["TYPO3"] }],
});
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

  it("is not looked for if the snapshot has a new resource in dependsOn", async () => {
    changeFields();
    await stack.setProgram(`${snapshotImports}
const other = new pulumi.Stash("new", { input: "1" });
new ProjectsSnapshot("fleet", { includeCredentials: true }, { dependsOn: other });
`);
    await assertPrints(stack, couldNotLook, [
      "Could not look for drift: the preview does not know yet what ProjectsSnapshot fleet will read. Run pulumi up first.",
    ]);
  });

  it("is not looked for if the service denies access to a project", async () => {
    stack.sandbox.forbiddenProjectIds.add("p-2");
    await assertPrints(stack, couldNotLook, [
      "ProjectServiceError [FORBIDDEN]: Reading project p-2 failed: the service denied access (403). …",
      "Could not look for drift: pulumi preview failed, so no snapshot was compared.",
    ]);
  });

  it("is not looked for if the settings name another service", async () => {
    await stack.project.configure(await stack.startOther());
    await assertPrints(stack, couldNotLook, [
      "Could not look for drift: ProjectsSnapshot fleet has recorded the service at https://projects.example.com/api/project/v5, but the settings name https://other.example.com/api/project/v5. …",
    ]);
  });

  it("is not looked for if the program does not compile", async () => {
    await stack.setProgram("const shop = ;");
    await assertPrints(stack, couldNotLook, ["index.ts(1,14): error TS1109: Expression expected."]);
  });
});

describe("drift of a ProjectsSnapshot with filters and skip on the real engine", () => {
  const stack = useRecorded(
    "drift-of-filtered",
    `${snapshotImports}
new ProjectsSnapshot("fleet", {
  filters: [{ key: "status", values: ["DEPLOYED"] }],
  onInaccessible: "skip",
});
`,
  );

  /** Inserts elements whose names and ids sort before the others. */
  function insertElements(): void {
    const { projectEnvironmentAssets, projectEnvironmentDatabases, symLinks } = liveOf(
      stack.sandbox,
    );
    const { assetGroups } = projectEnvironmentAssets;
    const { databases } = projectEnvironmentDatabases;
    assetGroups.unshift({ ...assetGroups[0]!, id: "a-first" });
    const [first] = databases;
    databases.unshift({ ...first!, name: "a_first", associationId: 1 });
    databases.unshift({ ...first!, associationId: 1 }); // another one of the same name
    symLinks.unshift({ ...symLinks[0]!, id: "a-first" });
  }

  function insertEnvironment(): void {
    const projectEnvironments = [{ environmentId: "first" }];
    const { projectEnvironments: inserted } = sandboxProject({ name: "shop", projectEnvironments });
    stack.sandbox.projects[0]!.projectEnvironments.unshift(...inserted);
  }

  it("compares elements by their ids and names, and finds projects that no longer match or are inaccessible", async () => {
    insertElements();
    insertEnvironment();
    rotatePassword(stack.sandbox); // which is not recorded
    stack.sandbox.projects[1]!.status = "AWAITING_INITIAL_DEPLOYMENT";
    stack.sandbox.forbiddenProjectIds.add("p-3");
    await assertPrints(stack, drift, [
      "shop (p-1)  first  added",
      "shop (p-1)  live  asset group a-first  added",
      "shop (p-1)  live  database a_first  added",
      "shop (p-1)  live  database shop_live  added",
      "shop (p-1)  live  symlink a-first  added",
      "blog (p-2)  no longer matching",
      "intranet (p-3)  inaccessible (FORBIDDEN)",
      "Drift: 7 changes in 3 projects. …",
    ]);
  });
});

describe("drift of a project that two snapshots record on the real engine", () => {
  const stack = useRecorded(
    "drift-of-both",
    `${snapshotImports}
new ProjectsSnapshot("fleet", { includeCredentials: true });
new ProjectSnapshot("shop", { name: "shop", includeCredentials: true });
`,
  );

  it("is not found if nothing changed", async () => {
    await assertPrints(stack, noDrift, ["No drift: 3 projects are as recorded."]);
  });

  it("is found in both if a password changed", async () => {
    rotatePassword(stack.sandbox);
    await assertPrints(stack, drift, [
      "credentials changed",
      "shop (p-1)  credentials changed",
      "Drift: 2 changes in 1 project. If this is all right, pulumi up records it.",
    ]);
  });

  it("is not looked for if the name of the project comes from a new resource", async () => {
    await stack.setProgram(`${snapshotImports}
new ProjectsSnapshot("fleet", { includeCredentials: true });
const { id: name } = new pulumi.Stash("new", { input: "1" });
new ProjectSnapshot("shop", { name });
`);
    await assertPrints(stack, couldNotLook, [
      "Could not look for drift: the preview does not know yet what ProjectSnapshot shop will read. Run pulumi up first.",
    ]);
  });

  it("is not looked for if the project was deleted", async () => {
    stack.sandbox.projects.shift();
    await assertPrints(stack, couldNotLook, [
      'ProjectServiceError [NOT_FOUND]: There is no project named "shop". …',
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

  it("is found in recorded fields only, and other fields are a change of the program", async () => {
    const recorded = await stack.recorded();
    assert.deepEqual(
      Object.values(recorded.projects).map((project) => Object.keys(project).sort()),
      Array(3).fill(["environments", "missingFields", "name", "projectId"]),
    );
    assert.deepEqual(Object.keys(recorded.projects["p-1"]!.environments[0]!).sort(), [
      "environmentId",
      "missingFields",
      "order",
      "webroot",
    ]);
    assert.ok(recorded.credentials);

    const [, blog] = stack.sandbox.projects;
    liveOf(stack.sandbox).projectEnvironmentCode.webroot = "/srv/shop";
    blog!.domain = "other.example.com";
    const change =
      "shop (p-1)  live  webroot  /var/www/shop/live/current/public → /srv/shop\n\n" as const;
    const summary =
      "Drift: 1 change in 1 project. If this is all right, pulumi up records it.\n" as const;
    const changed = await look(stack);
    assert.equal(changed.code, drift, changed.stderr);
    assert.equal(changed.stdout, `${change}${summary}`);

    await stack.setProgram(program('"environments.webroot", "domain", "environments.databases"'));
    const widened = await look(stack);
    assert.equal(widened.code, drift, widened.stderr);
    const programChange =
      'Changes to the program, no drift:\nProjectsSnapshot fleet: fields ["environments.webroot"] → ["environments.webroot","domain","environments.databases"]\n\n';
    assert.equal(widened.stdout, `${change}${programChange}${summary}`);

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
