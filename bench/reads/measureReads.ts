import { type Sample, sampleOf } from "../sample.js";
import { clients, type CredentialsMode } from "./contenders.js";
import { type MeasuredRun, runContenders } from "./runContenders.js";

/** The results of all contenders that read the same projects. */
export interface ReadsResult {
  readonly projects: number;
  readonly credentials: CredentialsMode;
  readonly contenders: Record<string, ContenderResult>;
}

export interface ContenderResult {
  readonly projectsPerSecond: Sample;
  readonly cpuMsPerProject: Sample;
  readonly peakMegabytes: Sample;
  /** The package's throughput divided by this contender's, run by run. */
  readonly packageIsFasterBy: Sample;
  /** The same ratio for the second run in each process. */
  readonly packageIsFasterByWarm: Sample;
  /** The maximum of all runs. A run includes its repetition in the same process. */
  readonly tokenRequests: number;
  readonly connections: number;
}

/** Measures how fast each contender reads `projects` projects. */
export async function measureReads(
  projects: number,
  credentials: CredentialsMode,
  rounds: number,
): Promise<ReadsResult> {
  const runs = await runContenders(clients, projects, 0, credentials, rounds);
  const packageRuns = runs["package"] as MeasuredRun[];
  const contenders: Record<string, ContenderResult> = {};
  for (const [name, ownRuns] of Object.entries(runs)) {
    contenders[name] = contenderResult(ownRuns, packageRuns);
  }
  return { projects, credentials, contenders };
}

function contenderResult(
  runs: readonly MeasuredRun[],
  packageRuns: readonly MeasuredRun[],
): ContenderResult {
  const ratioToPackage = (time: "ms" | "warmMs") =>
    sampleOf(runs.map((run, round) => run[time] / (packageRuns[round] as MeasuredRun)[time]));
  return {
    projectsPerSecond: sampleOf(runs.map(({ projects, ms }) => (projects / ms) * 1_000)),
    cpuMsPerProject: sampleOf(runs.map(({ projects, cpuMs }) => cpuMs / projects)),
    peakMegabytes: sampleOf(runs.map(({ peakMegabytes }) => peakMegabytes)),
    packageIsFasterBy: ratioToPackage("ms"),
    packageIsFasterByWarm: ratioToPackage("warmMs"),
    tokenRequests: Math.max(...runs.map(({ tokenRequests }) => tokenRequests)),
    connections: Math.max(...runs.map(({ connections }) => connections)),
  };
}
