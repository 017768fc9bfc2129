import { type SandboxProject, sampleProjects, startSandbox } from "../../sandbox/index.js";
import { type Sample, sampleOf } from "../sample.js";
import { type CommandRun, createStack, deleteStacks } from "./pulumiStack.js";
import type { ProcessName } from "./watchProcesses.js";

/** Programs that record all projects, by the resource that they use. */
const programs = {
  ProjectsSnapshot: (fields: readonly string[] | undefined) =>
    `const { ProjectsSnapshot } = require("pulumi-project-service");
new ProjectsSnapshot("fleet", ${JSON.stringify({ fields })});
`,
  ProjectSnapshot:
    () => `const { getProjects, ProjectSnapshot } = require("pulumi-project-service");
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
  drift: ["drift"],
};
type FleetCommand = keyof typeof commands;

/** A number of projects, recorded with one of the two resources. */
interface Fleet {
  readonly resource: keyof typeof programs;
  readonly projects: number;
  /** The argument `fields`. Default: all fields. */
  readonly fields?: readonly string[];
}

/** The fleets that are measured. One ProjectSnapshot for each project is slow. */
export const fleets: readonly Fleet[] = [
  ...[1, 100, 200, 500, 1_000, 2_000, 5_000].map(
    (projects) => ({ resource: "ProjectsSnapshot", projects }) as const,
  ),
  ...[1, 100, 200, 500].map((projects) => ({ resource: "ProjectSnapshot", projects }) as const),
];

const threeFields = ["status", "environments.webroot", "environments.currentTag"];

/**
 * Returns fleets of this size with all fields and with three. More than 5,000 projects with all fields
 * need too much memory.
 */
export function fleetsWithFields(projects: number): Fleet[] {
  const fleet = { resource: "ProjectsSnapshot", projects } as const;
  const withFields = { ...fleet, fields: threeFields };
  return projects > 5_000 ? [withFields] : [fleet, withFields];
}

export interface FleetResult extends Fleet {
  /** The size of the file with the state, indented and not compressed. */
  readonly stateMegabytes: number;
  readonly commands: Readonly<Record<FleetCommand, CommandUse>>;
}

/** What a command used. */
interface CommandUse {
  readonly seconds: Sample;
  /** CPU time of all these processes together. Other work disturbs it less. Only on Linux. */
  readonly cpuSeconds: Sample;
  /** The largest peak of all runs. Only on Linux. */
  readonly peakMegabytes: Readonly<Record<ProcessName, number>>;
}

/** Records a fleet in several new stacks, one after the other. */
export async function measureFleet({ resource, projects, fields }: Fleet): Promise<FleetResult> {
  const rounds = resource === "ProjectsSnapshot" && projects <= 500 ? 3 : 1;
  const runs: Record<FleetCommand, CommandRun[]> = {
    firstUp: [],
    preview: [],
    unchangedUp: [],
    refresh: [],
    drift: [],
  };
  let stateMegabytes = 0;
  for (let round = 0; round < rounds; round++) {
    await deleteStacks();
    const sandbox = await startSandbox({ projects: manyProjects(projects) });
    try {
      const stack = await createStack("fleet", programs[resource](fields), sandbox);
      for (const [name, args] of Object.entries(commands)) {
        runs[name as FleetCommand].push(await stack.measure(...args));
      }
      stateMegabytes = Math.max(stateMegabytes, (await stack.stateBytes()) / 1e6);
    } finally {
      await sandbox.close();
      await deleteStacks();
    }
  }
  const uses = Object.entries(runs).map(([name, own]) => [name, commandUse(own)]);
  return {
    resource,
    projects,
    ...(fields && { fields }),
    stateMegabytes,
    commands: Object.fromEntries(uses) as FleetResult["commands"],
  };
}

/** Returns `count` projects `p-0`, `p-1`, …, each with 3 environments and 6 databases. */
function manyProjects(count: number): SandboxProject[] {
  const sample = sampleProjects()[0] as SandboxProject;
  return Array.from({ length: count }, (_, index) => ({
    ...structuredClone(sample),
    _id: `p-${index}`,
  }));
}

function commandUse(runs: readonly CommandRun[]): CommandUse {
  const peak = (name: ProcessName) =>
    Math.max(...runs.map(({ processes }) => processes[name].peakMegabytes));
  const cpuSeconds = runs.map(({ processes }) =>
    Object.values(processes).reduce((sum, process) => sum + process.cpuSeconds, 0),
  );
  return {
    seconds: sampleOf(runs.map(({ seconds }) => seconds)),
    cpuSeconds: sampleOf(cpuSeconds),
    peakMegabytes: {
      drift: peak("drift"),
      program: peak("program"),
      engine: peak("engine"),
      provider: peak("provider"),
    },
  };
}
