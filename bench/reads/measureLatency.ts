import { type Sample, sampleOf } from "../sample.js";
import { clients } from "./contenders.js";
import { runContenders } from "./runContenders.js";

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
