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
    contenders[name] = {
      projectsPerSecond: sampleOf(ownRuns.map((run) => (run.projects / run.ms) * 1_000)),
      cpuMsPerProject: sampleOf(ownRuns.map((run) => run.cpuMs / run.projects)),
      peakMegabytes: sampleOf(ownRuns.map((run) => run.peakMegabytes)),
      packageIsFasterBy: ratioOf("ms", ownRuns, packageRuns),
      packageIsFasterByWarm: ratioOf("warmMs", ownRuns, packageRuns),
      tokenRequests: Math.max(...ownRuns.map(({ tokenRequests }) => tokenRequests)),
      connections: Math.max(...ownRuns.map(({ connections }) => connections)),
    };
  }
  return { projects, credentials, contenders };
}

/** The time of each run divided by that of the other run in the same round. */
function ratioOf(
  time: "ms" | "warmMs" | "cpuMs",
  runs: readonly MeasuredRun[],
  others: readonly MeasuredRun[],
): Sample {
  return sampleOf(runs.map((run, round) => run[time] / (others[round] as MeasuredRun)[time]));
}

export interface LatencyResult {
  readonly projects: number;
  readonly latencyMs: number;
  /** The time divided by the ideal time: projects × latency / 16 connections. */
  readonly ratioToIdeal: Record<string, Sample>;
}

/** Compares each contender with the ideal time of 16 connections to a server with latency. */
export async function measureLatency(
  projects: number,
  latencyMs: number,
  rounds: number,
): Promise<LatencyResult> {
  const idealMs = (projects * latencyMs) / 16;
  const runs = await runContenders(clients, projects, latencyMs, "available", rounds);
  const ratioToIdeal: Record<string, Sample> = {};
  for (const [name, ownRuns] of Object.entries(runs)) {
    ratioToIdeal[name] = sampleOf(ownRuns.map(({ ms }) => ms / idealMs));
  }
  return { projects, latencyMs, ratioToIdeal };
}

/** The cost of an audit, without its report, compared with `getProjects` of the same projects. */
export interface AuditResult {
  readonly projects: number;
  readonly seconds: { readonly audit: Sample; readonly getProjects: Sample };
  /** The audit's time divided by that of getProjects, run by run. */
  readonly ratioToReads: Sample;
  /** The same ratio for the CPU time. */
  readonly cpuRatioToReads: Sample;
  readonly peakMegabytes: { readonly audit: Sample; readonly getProjects: Sample };
}

/** Compares reading and judging projects with reading them. */
export async function measureAudit(projects: number, rounds: number): Promise<AuditResult> {
  const runs = await runContenders(["package", "audit"], projects, 0, "none", rounds);
  const { audit = [], package: reads = [] } = runs;
  const seconds = (own: MeasuredRun[]) => sampleOf(own.map(({ ms }) => ms / 1_000));
  const peak = (own: MeasuredRun[]) => sampleOf(own.map(({ peakMegabytes }) => peakMegabytes));
  return {
    projects,
    seconds: { audit: seconds(audit), getProjects: seconds(reads) },
    ratioToReads: ratioOf("ms", audit, reads),
    cpuRatioToReads: ratioOf("cpuMs", audit, reads),
    peakMegabytes: { audit: peak(audit), getProjects: peak(reads) },
  };
}
