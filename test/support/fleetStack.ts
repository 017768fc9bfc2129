import assert from "node:assert/strict";
import { sampleProjects } from "../../sandbox/index.js";
import { SnapshotStack, snapshotImports, useStack } from "./snapshotStack.js";

export const fleetImports = `${snapshotImports}
const { ProjectsSnapshot } = projectService;
`;

/** A program that records projects in one ProjectsSnapshot. */
export function fleet(args = "", more = ""): string {
  return `${fleetImports}
const fleet = new ProjectsSnapshot("fleet", { ${args} });
${more}`;
}

const projectsType = "pulumi-nodejs:dynamic/project-service:ProjectsSnapshot";

/** A stack with a ProjectsSnapshot. */
export class FleetStack extends SnapshotStack {
  /** Starts with the first three sample projects, recorded. */
  async startWithThree(name: string, program: string): Promise<void> {
    this.sandbox.projects = sampleProjects().slice(0, 3);
    await this.start(name, program);
    await this.up();
  }

  /** Returns the outputs of the ProjectsSnapshot in the state. */
  async recorded() {
    const { deployment } = JSON.parse((await this.project.cli("stack", "export")).stdout) as {
      deployment: {
        resources: { type: string; id?: string; outputs: Record<string, unknown> }[];
      };
    };
    const found = deployment.resources.find(({ type }) => type === projectsType);
    assert.equal(found?.id, "projects");
    return found.outputs as {
      projects: Record<string, { environments: { webroot: string }[] }>;
      inaccessible: object[];
      service: string;
      credentials?: object;
    };
  }
}

/** Returns a stack for the tests of the surrounding suite. Each test has a new sandbox. */
export function useFleetStack(): FleetStack {
  return useStack(new FleetStack());
}
