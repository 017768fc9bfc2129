/* A stack that records projects of a sandbox, and the programs that do so. */
import assert from "node:assert/strict";
import type { Project as RecordedProject } from "../../provider/model/project.js";
import { readRecord } from "../../provider/snapshot/projectRecord.js";
import { programImports } from "./engineTest.js";
import { LeakSearch, secretsOf } from "./leakSearch.js";
import { type Sandbox, sampleProjects, startSandbox } from "./testSandbox.js";
import { type Project, type StateResource, useWorkbench, type Workbench } from "./workbench.js";

/** The first lines of a program that records projects. */
export const snapshotImports = `${programImports}const { ProjectSnapshot } = projectService;
`;

/** The first lines of a program that records many projects. */
export const fleetImports = `${snapshotImports}
const { ProjectsSnapshot } = projectService;
`;

/** A program that records the project "shop". */
export const shopProgram = `${snapshotImports}
const shop = new ProjectSnapshot("shop", { name: "shop", includeCredentials: true });
export const webroot = shop.environments[0].webroot;
export const password = shop.credentials.databases["live"]?.[0].password;
`;

/** A program that records projects in one ProjectsSnapshot. */
export function fleet(args = "", more = ""): string {
  return `${fleetImports}
const fleet = new ProjectsSnapshot("fleet", { ${args} });
${more}`;
}

/** A preview that fails if anything would change. */
export const expectNoChanges = ["preview", "--expect-no-changes", "--diff"];

/** Prepares a stack for the tests of the surrounding suite. Each test has a new sandbox. */
export function useSnapshotStack(): SnapshotStack {
  const stack = new SnapshotStack();
  before(async function () {
    stack.workbench = await useWorkbench(this);
  });
  beforeEach(() => stack.begin());
  afterEach(() => stack.end());
  return stack;
}

/** Every Pulumi command of it searches its output and the state for secrets. */
export class SnapshotStack {
  workbench!: Workbench;
  /** The sandbox that the stack's config names. Each test has its own. */
  sandbox!: Sandbox;
  /** Closed after the test, in addition to `sandbox`. */
  readonly otherSandboxes: Sandbox[] = [];
  project!: Project;
  /** All secrets of this test so far: those from before a rotation or a restart stay. */
  private readonly secrets = new Set<string>();

  /** Starts a test. */
  async begin(): Promise<void> {
    this.secrets.clear();
    this.sandbox = await this.startSandbox();
  }

  /** Ends a test. */
  async end(): Promise<void> {
    for (const sandbox of [this.sandbox, ...this.otherSandboxes.splice(0)]) await sandbox?.close();
  }

  startSandbox(options: { port?: number; password?: string } = {}): Promise<Sandbox> {
    return startSandbox({ password: "c4nary-p4ssword-of-the-reader", ...options });
  }

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

  up(): Promise<string> {
    return this.succeed("up", "--yes", "--skip-preview");
  }

  refresh(): Promise<string> {
    return this.succeed("refresh", "--yes", "--skip-preview");
  }

  /** Runs a Pulumi command that succeeds. Returns what it prints. */
  async succeed(...args: string[]): Promise<string> {
    const { code, printed } = await this.pulumi(...args);
    assert.equal(code, 0, printed);
    return printed;
  }

  /** Runs a Pulumi command that fails. Returns what it prints. */
  async fail(...args: string[]): Promise<string> {
    const { code, printed } = await this.pulumi(...args);
    assert.notEqual(code, 0, printed);
    return printed;
  }

  private async pulumi(...args: string[]): Promise<{ code: number; printed: string }> {
    const { code, stdout, stderr } = await this.project.cli(...args);
    for (const sandbox of [this.sandbox, ...this.otherSandboxes]) {
      for (const secret of secretsOf(sandbox)) this.secrets.add(secret);
    }
    const search = new LeakSearch([...this.secrets]);
    search.text(`pulumi ${args.join(" ")}`, stdout + stderr);
    search.text("the state", await this.project.state());
    return { code, printed: stdout + stderr };
  }

  /** Returns the resources of both types in the state. */
  async snapshots(): Promise<StateResource[]> {
    const resources = await this.project.resources();
    return resources.filter(({ type }) => /:Projects?Snapshot$/.test(type));
  }

  /** Returns the outputs of the ProjectsSnapshot in the state, with objects for the texts of projects. */
  async recorded(): Promise<RecordedFleet> {
    const found = (await this.snapshots()).find(({ type }) => type.endsWith(":ProjectsSnapshot"));
    assert.equal(found?.id, "projects");
    const { projects, ...others } = found.outputs as RecordedFleet;
    const read = ([id, record]: [string, unknown]) => [id, readRecord(id, record)] as const;
    return { ...others, projects: Object.fromEntries(Object.entries(projects).map(read)) };
  }

  /** Returns the first environment of a project in the sandbox, to be changed there. */
  environment(projectId: string) {
    const project = this.sandbox.projects.find(({ _id }) => _id === projectId);
    return project?.projectEnvironments[0] ?? assert.fail(`${projectId} has no environment`);
  }
}

interface RecordedFleet {
  projects: Record<string, RecordedProject>;
  inaccessible: object[];
  service: string;
  credentials?: object;
}
