import assert from "node:assert/strict";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { LeakSearch, credentialsIn } from "../support/secrets.js";
import { type Project, run, useWorkbench, type Workbench } from "../support/workbench.js";
import { repository } from "../support/paths.js";

const program = `
import * as projectService from "pulumi-project-service";
new projectService.ProjectSnapshot("violating", { projectId: "p-1" });
`;
const cleanProgram = `
import * as projectService from "pulumi-project-service";
new projectService.ProjectSnapshot("clean", { projectId: "p-7", includeCredentials: false });
projectService.ProjectSnapshot.get("not-recorded", "p-1");
`;

describe("the policy pack with the real engine", () => {
  let workbench: Workbench;
  let sandbox: Sandbox;
  let pack: string;
  before(async function () {
    workbench = await useWorkbench(this);
    sandbox = await startSandbox();
    pack = await installedPack();
  });
  after(() => sandbox?.close());

  /** Installs the example as its package.json says, but with the packed tarball. Returns its folder. */
  async function installedPack(): Promise<string> {
    const directory = join(workbench.directory, "policy-pack");
    await cp(join(repository, "examples/policy-pack"), directory, { recursive: true });
    const file = join(directory, "package.json");
    const manifest = JSON.parse(await readFile(file, "utf8")) as {
      dependencies: Record<string, string>;
    };
    const userManifest = JSON.parse(
      await readFile(join(workbench.directory, "package.json"), "utf8"),
    ) as typeof manifest;
    for (const name of ["pulumi-project-service", "@pulumi/pulumi"]) {
      manifest.dependencies[name] = (userManifest.dependencies[name] as string).replace(
        "file:",
        "file:../",
      );
    }
    await writeFile(file, JSON.stringify(manifest));
    await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: directory,
    });
    return directory;
  }

  async function stack(name: string, text: string): Promise<Project> {
    const project = await workbench.project(name, { program: text });
    await project.configure(sandbox);
    return project;
  }

  const secrets = () => [...credentialsIn(sandbox.projects), sandbox.connection.password];

  it("fails a stack that violates a rule, and prints project, environment, rule and remedy", async () => {
    const project = await stack("policy-violating", program);
    for (const command of ["preview", "up"]) {
      const { code, stdout, stderr } = await project.cli(
        command,
        ...(command === "up" ? ["--yes"] : []),
        "--policy-pack",
        pack,
      );
      const printed = stdout + stderr;
      assert.notEqual(code, 0, printed);
      assert.match(printed, /\[mandatory\].*restricted-databases/);
      assert.match(
        printed,
        /Project shop \(p-1\), environment stage, rule restricted-databases: The databases shop_search_stage, shop_stage are not restricted by address\. Set allowedIP/,
      );
      assert.match(
        printed,
        /rule recorded-without-credentials: The snapshot records credentials\./,
      );
      assert.doesNotMatch(printed, /environment live/);
      new LeakSearch(secrets()).text(command, printed);
    }
    const { stdout: state } = await project.cli("stack", "export");
    assert.doesNotMatch(state, /ProjectSnapshot/);
  });

  it("lets a stack without violations run", async () => {
    const project = await stack("policy-clean", cleanProgram);
    const { code, stdout, stderr } = await project.cli("up", "--yes", "--policy-pack", pack);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /Policies:/);
    assert.doesNotMatch(stdout, /mandatory|advisory/);
    new LeakSearch(secrets()).text("up", stdout + stderr);
  });
});
