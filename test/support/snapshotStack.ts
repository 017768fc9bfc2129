import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Project as FleetProject } from "../../provider/model/project.js";
import { readRecord } from "../../provider/snapshot/record.js";
import { projectsSnapshotId } from "../../provider/snapshot/resources.js";
import { type EngineOptions, EngineTest, prepare, programImports } from "./engineTest.js";
import { LeakSearch, secretsOf } from "./leakSearch.js";
import { type Sandbox, sampleProjects, startSandbox } from "./testSandbox.js";
import type { Project, StateResource } from "./workbench.js";

/** The first lines of a program that records projects. */
export const snapshotImports = `${programImports}const { ProjectSnapshot, ProjectsSnapshot } = projectService;
`;

/** A program that records the project "shop". */
export const shopProgram = `${snapshotImports}
const shop = new ProjectSnapshot("shop", { name: "shop", includeCredentials: true });
export const webroot = shop.environments[0].webroot;
export const password = shop.credentials.databases["live"]?.[0].password;
`;

/** Returns a program that records projects in the ProjectsSnapshot `fleet`, and has some more lines. */
export const fleetProgram = (args = "", more = "") => `${snapshotImports}
const fleet = new ProjectsSnapshot("fleet", { ${args} });
${more}`;

/** A preview that fails if anything would change. */
export const expectNoChanges = ["preview", "--expect-no-changes", "--diff"];

/** The outputs of a ProjectsSnapshot in the state. */
interface FleetState {
  projects: Record<string, FleetProject>;
  inaccessible: object[];
  credentials?: object;
}

/**
 * A stack that records projects of a sandbox. Every Pulumi command searches its output and the state
 * for secrets.
 */
export class SnapshotStack extends EngineTest {
  project!: Project;
  /** Another service, once a test has started it. */
  otherSandbox: Sandbox | undefined;
  /** All secrets so far: those from before a rotation or a restart stay. */
  private readonly knownSecrets = new Set<string>();

  /** Makes the stack, configured for the sandbox. */
  async start(name: string, program: string): Promise<void> {
    this.project = await this.workbench.project(name, { program });
    await this.project.configure(this.sandbox);
  }

  /** Makes the stack, and records the first three sample projects. */
  async startWithThree(name: string, program: string): Promise<void> {
    this.sandbox.projects = sampleProjects().slice(0, 3);
    await this.start(name, program);
    await this.up();
  }

  /** Starts another service. It ends with the first one. */
  async startOther(): Promise<Sandbox> {
    return (this.otherSandbox = await startSandbox());
  }

  setProgram(text: string): Promise<void> {
    return writeFile(join(this.project.directory, "index.ts"), text);
  }

  /** Adds what the sandboxes hold now, and returns all secrets so far. */
  override secrets(): string[] {
    for (const sandbox of [this.sandbox, this.otherSandbox]) {
      if (sandbox === undefined) continue;
      for (const secret of secretsOf(sandbox)) this.knownSecrets.add(secret);
    }
    return [...this.knownSecrets];
  }

  /** Runs a Pulumi command that must succeed, and returns what it prints. */
  async succeed(...args: string[]): Promise<string> {
    const { code, printed } = await this.pulumi(...args);
    assert.equal(code, 0, printed);
    return printed;
  }

  /** Runs a Pulumi command that must fail, and returns what it prints. */
  async fail(...args: string[]): Promise<string> {
    const { code, printed } = await this.pulumi(...args);
    assert.notEqual(code, 0, printed);
    return printed;
  }

  up(): Promise<string> {
    return this.succeed("up", "--yes", "--skip-preview");
  }

  refresh(): Promise<string> {
    return this.succeed("refresh", "--yes", "--skip-preview");
  }

  /** Returns the resources of both types in the state. */
  async snapshots(): Promise<StateResource[]> {
    const resources = await this.project.resources();
    return resources.filter(({ type }) => /:Projects?Snapshot$/.test(type));
  }

  /** Returns the outputs of the ProjectsSnapshot in the state, and reads the JSON texts of each record. */
  async recorded(): Promise<FleetState> {
    const found = (await this.snapshots()).find(({ type }) => type.endsWith(":ProjectsSnapshot"));
    assert.equal(found?.id, projectsSnapshotId);
    const outputs = found.outputs as FleetState;
    const read = ([id, record]: [string, unknown]) => [id, readRecord(id, record)] as const;
    return { ...outputs, projects: Object.fromEntries(Object.entries(outputs.projects).map(read)) };
  }

  /** Returns the first environment of a project in the sandbox, to be changed there. */
  environment(projectId: string) {
    const project = this.sandbox.projects.find(({ _id }) => _id === projectId);
    return project?.projectEnvironments[0] ?? assert.fail(`${projectId} has no environment`);
  }

  private async pulumi(...args: string[]): Promise<{ code: number; printed: string }> {
    const { code, stdout, stderr } = await this.project.cli(...args);
    const search = new LeakSearch(this.secrets());
    search.text(`pulumi ${args.join(" ")}`, stdout + stderr);
    search.text("the state", await this.project.state());
    return { code, printed: stdout + stderr };
  }
}

/** Prepares a stack for the tests of the surrounding suite. */
export function useSnapshotStack(options: EngineOptions = { sandboxFor: "test" }): SnapshotStack {
  const stack = prepare(new SnapshotStack(), options);
  const end = options.sandboxFor === "test" ? afterEach : after;
  end(async () => {
    await stack.otherSandbox?.close();
    stack.otherSandbox = undefined;
  });
  return stack;
}
