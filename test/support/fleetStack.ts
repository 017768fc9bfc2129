import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectsSnapshotType } from "../../provider/snapshot/resources.js";
import { type FleetServer, startFleetServer } from "./fleetServer.js";
import { configOf, type Project, useWorkbench } from "./workbench.js";

/** A program that makes a resource for each recorded project. */
const program = (args = "", options = "") => `import * as pulumi from "@pulumi/pulumi";
import { ProjectsSnapshot } from "pulumi-project-service";
const fleet = new ProjectsSnapshot("fleet", { ${args} }, { ${options} });
fleet.projects.apply((projects) => {
  for (const id of Object.keys(projects)) new pulumi.Stash(id, { input: id });
});
`;

/** A stack that makes a resource for each of the five recorded projects of a {@link FleetServer}. */
export class FleetStack {
  server!: FleetServer;
  project!: Project;
  readonly all = ["p-1", "p-2", "p-3", "p-4", "p-5"];

  signInAs(username: string): Promise<void> {
    return this.project.setConfig(configOf({ ...this.server.connection, username }));
  }

  setProgram(...parts: string[]): Promise<void> {
    return writeFile(join(this.project.directory, "index.ts"), program(...parts));
  }

  up(...args: string[]): Promise<string> {
    return this.project.succeed("up", "--yes", "--skip-preview", ...args);
  }

  refresh(): Promise<string> {
    return this.project.succeed("refresh", "--yes", "--skip-preview");
  }

  /** Records all projects that the service has at the start. */
  async recordAll(): Promise<void> {
    await this.setProgram();
    await this.up();
    await this.assertRecorded();
  }

  /** Runs a command, which must fail, and returns what it prints. */
  async fail(command: "up" | "refresh"): Promise<string> {
    const { code, stdout, stderr } = await this.project.cli(command, "--yes", "--skip-preview");
    assert.notEqual(code, 0, stdout);
    return stdout + stderr;
  }

  /** Returns the URN of the snapshot. */
  async urn(): Promise<string> {
    const found = (await this.project.resources()).find(
      ({ type }) => type === projectsSnapshotType,
    );
    return found?.urn ?? assert.fail();
  }

  /** The state has these projects, and a resource for each of them. */
  async assertRecorded(ids: readonly string[] = this.all, inaccessible: object[] = []) {
    const resources = await this.project.resources();
    const fleet = resources.find(({ type }) => type === projectsSnapshotType);
    const outputs = fleet?.outputs as { projects: object; inaccessible: object[] };
    assert.deepEqual(Object.keys(outputs.projects).sort(), ids);
    assert.deepEqual(outputs.inaccessible, inaccessible);
    const made = resources.filter(({ type }) => type === "pulumi:index:Stash");
    assert.deepEqual(made.map(({ urn }) => urn.split("::").at(-1)).sort(), ids);
  }
}

/** Prepares a stack for the tests of the surrounding suite. The service is as at the start for each test. */
export function useFleetStack(name: string): FleetStack {
  const stack = new FleetStack();
  before(async function () {
    const workbench = await useWorkbench(this);
    stack.server = await startFleetServer();
    stack.project = await workbench.project(name, { program: program() });
    await stack.signInAs("u");
    await stack.up();
  });
  beforeEach(() => stack.server.reset());
  return stack;
}
