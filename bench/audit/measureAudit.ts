import { type MeasuredRun, runContenders } from "../reads/runContenders.js";
import { type Sample, sampleOf } from "../sample.js";

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

/** Compares reading and judging projects with reading them. Each run is a new process. */
export async function measureAudit(projects: number, rounds: number): Promise<AuditResult> {
  const runs = await runContenders(["package", "audit"], projects, 0, "none", rounds);
  const { audit = [], package: reads = [] } = runs;
  const seconds = (own: MeasuredRun[]) => sampleOf(own.map(({ ms }) => ms / 1_000));
  const peak = (own: MeasuredRun[]) => sampleOf(own.map(({ peakMegabytes }) => peakMegabytes));
  const ratio = (time: "ms" | "cpuMs") =>
    sampleOf(audit.map((run, round) => run[time] / (reads[round] as MeasuredRun)[time]));
  return {
    projects,
    seconds: { audit: seconds(audit), getProjects: seconds(reads) },
    ratioToReads: ratio("ms"),
    cpuRatioToReads: ratio("cpuMs"),
    peakMegabytes: { audit: peak(audit), getProjects: peak(reads) },
  };
}
