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

/** Commands on a stack. A preview or a refresh that finds a change fails. */
const commands = {
  up: ["up", "--yes", "--skip-preview"],
  preview: ["preview", "--expect-no-changes"],
  refresh: ["refresh", "--yes", "--skip-preview", "--expect-no-changes"],
};

export type RecordingResource = keyof typeof programs;
export type FleetCommand = keyof typeof commands;

export interface FleetRun {
  /** In the order of the commands. */
  readonly runs: CommandRun[];
  /** The size of the file with the state. */
  readonly stateMegabytes: number;
}

/**
 * Runs commands on a new stack that records a fleet. It records no credentials. Pulumi has its
 * defaults, so it saves the state after each step.
 */
export async function measureFleet(
  projects: number,
  resource: RecordingResource,
  commandsToRun: readonly FleetCommand[],
): Promise<FleetRun> {
  await deleteStacks();
  const sandbox = await startSandbox({ projects: manyProjects(projects) });
  try {
    const stack = await createStack("fleet", programs[resource], sandbox);
    const runs: CommandRun[] = [];
    for (const command of commandsToRun) runs.push(await stack.measure(...commands[command]));
    return { runs, stateMegabytes: (await stack.stateBytes()) / 1e6 };
  } finally {
    await sandbox.close();
    await deleteStacks();
  }
}
