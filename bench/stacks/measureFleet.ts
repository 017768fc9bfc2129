import { startSandbox } from "../../sandbox/index.js";
import { manyProjects } from "./manyProjects.js";
import { type CommandRun, createStack, deleteStacks } from "./pulumiStack.js";

/** Programs that record all projects, by the resource that they use. */
const programs = {
  ProjectsSnapshot: `const { ProjectsSnapshot } = require("pulumi-project-service");
new ProjectsSnapshot("fleet");
`,
  ProjectSnapshot: `const { getProjects, ProjectSnapshot } = require("pulumi-project-service");
module.exports = async () => {
  const { projects } = await getProjects();
  for (const { projectId } of projects) {
    new ProjectSnapshot(projectId, { projectId, includeCredentials: false });
  }
};
`,
};

/** Commands on a new stack, in this order. All but the first fail if they find a change. */
const commands = {
  firstUp: ["up", "--yes", "--skip-preview"],
  preview: ["preview", "--expect-no-changes"],
  unchangedUp: ["up", "--yes", "--skip-preview", "--expect-no-changes"],
  refresh: ["refresh", "--yes", "--skip-preview", "--expect-no-changes"],
};

export type RecordingResource = keyof typeof programs;
export type FleetCommand = keyof typeof commands;

export interface FleetRun {
  readonly runs: Readonly<Record<FleetCommand, CommandRun>>;
  /** The size of the file with the state. */
  readonly stateMegabytes: number;
}

/**
 * Runs all commands on a new stack that records a fleet. It records no credentials. Pulumi has its
 * defaults, so it saves the state after each step.
 */
export async function measureFleet(
  resource: RecordingResource,
  projects: number,
): Promise<FleetRun> {
  await deleteStacks();
  const sandbox = await startSandbox({ projects: manyProjects(projects) });
  try {
    const stack = await createStack("fleet", programs[resource], sandbox);
    const runs: Partial<Record<FleetCommand, CommandRun>> = {};
    for (const [name, args] of Object.entries(commands)) {
      runs[name as FleetCommand] = await stack.measure(...args);
    }
    return {
      runs: runs as Record<FleetCommand, CommandRun>,
      stateMegabytes: (await stack.stateBytes()) / 1e6,
    };
  } finally {
    await sandbox.close();
    await deleteStacks();
  }
}
