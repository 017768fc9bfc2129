import assert from "node:assert/strict";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "./testSandbox.js";
import { secretsOf } from "./leakSearch.js";
import { repository } from "./paths.js";
import { type Project, useWorkbench, type Workbench } from "./workbench.js";

/** The first lines of a program. */
export const programImports = `import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";
const { ProjectSnapshot, ProjectsSnapshot } = projectService;
`;

/** A class of a program: a resource whose output `value` is not known in a preview. */
export const laterClass = (value: string) => `
class Later extends pulumi.dynamic.Resource {
  declare readonly value: pulumi.Output<string>;
  constructor(name: string) {
    super({ create: async () => ({ id: name, outs: { value: "${value}" } }) }, name, { value: undefined });
  }
}
`;

/** A preview that fails if anything would change. */
export const expectNoChanges = ["preview", "--expect-no-changes", "--diff"];

/** What a test needs to run programs on the real engine. */
export class EngineTest {
  workbench!: Workbench;
  sandbox!: Sandbox;
  /** The sandboxes that the current test, or the suite, has started. */
  readonly sandboxes: Sandbox[] = [];

  async startSandbox(): Promise<Sandbox> {
    const sandbox = await startSandbox();
    this.sandboxes.push(sandbox);
    return sandbox;
  }

  /** Makes a stack with the settings of the sandbox, whose program starts with the imports. */
  async stack(name: string, program: string): Promise<Project> {
    const project = await this.workbench.project(name, { program: programImports + program });
    await project.configure(this.sandbox);
    return project;
  }

  secrets(): string[] {
    return secretsOf(this.sandbox);
  }

  /** Returns the first environment of a project in the sandbox, to be changed there. */
  environment(projectId = "p-1") {
    const project = this.sandbox.projects.find(({ _id }) => _id === projectId);
    return project?.projectEnvironments[0] ?? assert.fail(`${projectId} has no environment`);
  }

  /** Returns the first database of that environment. */
  liveDatabase(projectId = "p-1") {
    return this.environment(projectId).projectEnvironmentDatabases.databases[0] ?? assert.fail();
  }

  /** Makes the Pulumi project of an example. */
  example(name: string, neighbour?: Project, projectName = name): Promise<Project> {
    const folder = join(repository, "examples", name);
    return this.workbench.project(projectName, { folder }, neighbour);
  }
}

/** Prepares the workbench, and a sandbox for each test of the surrounding suite or for all of them. */
export function useEngine({ sandboxFor }: { readonly sandboxFor: "test" | "suite" }): EngineTest {
  const engine = new EngineTest();
  const [begin, end] = sandboxFor === "test" ? [beforeEach, afterEach] : [before, after];
  before(async function () {
    engine.workbench = await useWorkbench(this);
  });
  begin(async () => {
    engine.sandbox = await engine.startSandbox();
  });
  end(async () => {
    for (const sandbox of engine.sandboxes.splice(0)) await sandbox.close();
  });
  return engine;
}
