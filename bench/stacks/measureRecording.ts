import { type Sample, sampleOf } from "../sample.js";
import {
  type FleetCommand,
  type FleetRun,
  measureFleet,
  type RecordingResource,
} from "./measureFleet.js";
import type { CommandRun } from "./pulumiStack.js";
import type { ProcessName } from "./watchProcesses.js";

/** A number of projects, recorded with one of the two resources. */
export interface Fleet {
  readonly resource: RecordingResource;
  readonly projects: number;
}

export interface RecordingResult extends Fleet {
  /** The size of the file with the state, indented and not compressed. */
  readonly stateMegabytes: number;
  readonly commands: Readonly<Record<FleetCommand, CommandUse>>;
}

/** What a command used. */
export interface CommandUse {
  readonly seconds: Sample;
  /** CPU time of program, engine and provider together. Other work disturbs it less. Only on Linux. */
  readonly cpuSeconds: Sample;
  /** The largest peak of all runs. Only on Linux. */
  readonly peakMegabytes: Readonly<Record<ProcessName, number>>;
}

/** The sizes that are measured for each resource. One ProjectSnapshot for each project is slow. */
export const fleetSizes: Readonly<Record<RecordingResource, readonly number[]>> = {
  ProjectsSnapshot: [1, 100, 200, 500, 1_000, 2_000, 5_000],
  ProjectSnapshot: [1, 100, 200, 500],
};

export function allFleets(): Fleet[] {
  return Object.entries(fleetSizes).flatMap(([resource, sizes]) =>
    sizes.map((projects) => ({ resource: resource as RecordingResource, projects })),
  );
}

/** Records a fleet in several new stacks, one after the other. */
export async function measureRecording({ resource, projects }: Fleet): Promise<RecordingResult> {
  const rounds = resource === "ProjectsSnapshot" && projects <= 500 ? 3 : 1;
  const fleets: FleetRun[] = [];
  for (let round = 0; round < rounds; round++) fleets.push(await measureFleet(resource, projects));
  const useOf = (command: FleetCommand) => commandUse(fleets.map(({ runs }) => runs[command]));
  return {
    resource,
    projects,
    stateMegabytes: Math.max(...fleets.map(({ stateMegabytes }) => stateMegabytes)),
    commands: {
      firstUp: useOf("firstUp"),
      preview: useOf("preview"),
      unchangedUp: useOf("unchangedUp"),
      refresh: useOf("refresh"),
    },
  };
}

function commandUse(runs: readonly CommandRun[]): CommandUse {
  const peak = (name: ProcessName) =>
    Math.max(...runs.map(({ processes }) => processes[name].peakMegabytes));
  return {
    seconds: sampleOf(runs.map(({ seconds }) => seconds)),
    cpuSeconds: sampleOf(
      runs.map(({ processes }) =>
        Object.values(processes).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
      ),
    ),
    peakMegabytes: {
      program: peak("program"),
      engine: peak("engine"),
      provider: peak("provider"),
    },
  };
}

/** Returns all results, sorted. A new result replaces the earlier one of the same fleet. */
export function mergeRecordings(
  earlier: readonly RecordingResult[],
  measured: readonly RecordingResult[],
): RecordingResult[] {
  const keyOf = ({ resource, projects }: RecordingResult) => `${resource} ${projects}`;
  const results = new Map([...earlier, ...measured].map((result) => [keyOf(result), result]));
  const resources = Object.keys(fleetSizes);
  return [...results.values()].sort(
    (a, b) =>
      resources.indexOf(a.resource) - resources.indexOf(b.resource) || a.projects - b.projects,
  );
}
