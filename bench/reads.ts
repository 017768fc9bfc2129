import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Run } from "./client.js";
import { contenders, type CredentialsMode } from "./contenders.js";
import { type Counters, type ServerProcess, startServer } from "./serverProcess.js";
import { type Sample, sampleOf } from "./statistics.js";

const run = promisify(execFile);
const warmUpProjects = 20;
/** User name and password of 2 databases in 3 environments. */
const secretsPerProject = 12;

/** Reading so many projects, contender by contender. */
export interface ReadsResult {
  readonly projects: number;
  readonly credentials: CredentialsMode;
  readonly contenders: Record<string, ContenderResult>;
}

export interface ContenderResult {
  readonly projectsPerSecond: Sample;
  readonly cpuMsPerProject: Sample;
  readonly peakMegabytes: Sample;
  /** The package's throughput as a multiple of this contender's, run by run. */
  readonly packageIsFasterBy: Sample;
  /** The same of processes that have done it once before. */
  readonly packageIsFasterByWarm: Sample;
  /** The most that one run needed, with its repetition. */
  readonly tokenRequests: number;
  readonly connections: number;
}

type MeasuredRun = Run & Counters;

/** Runs the contenders in turn, each run in a new process, against a server in another one. */
export async function measureReads(
  projects: number,
  credentials: CredentialsMode,
  runs: number,
): Promise<ReadsResult> {
  const server = await startServer(projects);
  const warmUp = await startServer(Math.min(projects, warmUpProjects));
  const names = Object.keys(contenders);
  const measured: Record<string, MeasuredRun[]> = Object.fromEntries(
    names.map((name) => [name, []]),
  );
  try {
    for (let round = 0; round < runs; round++) {
      for (const name of names) {
        measured[name]?.push(await runOnce(name, credentials, server, warmUp));
      }
    }
  } finally {
    server.stop();
    warmUp.stop();
  }
  const results: Record<string, ContenderResult> = {};
  for (const name of names) results[name] = resultOf(measured, name);
  return { projects, credentials, contenders: results };
}

async function runOnce(
  name: string,
  credentials: CredentialsMode,
  server: ServerProcess,
  warmUp: ServerProcess,
): Promise<MeasuredRun> {
  const args = [join(__dirname, "client.js"), name, credentials, server.url, warmUp.url];
  const { stdout } = await run(process.execPath, args, { env: withoutProxies() });
  const measured = { ...(JSON.parse(stdout) as Run), ...(await server.takeCounters()) };
  const isWhole =
    measured.projects === server.projectCount &&
    measured.reads === 2 * server.projectCount &&
    measured.secrets === (credentials === "settled" ? secretsPerProject * measured.projects : 0);
  if (!isWhole) throw new Error(`${name} did not do all of it: ${JSON.stringify(measured)}`);
  return measured;
}

/** A proxy would be asked by some contenders and not by others. */
function withoutProxies(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name));
  return Object.fromEntries(entries);
}

function resultOf(measured: Record<string, MeasuredRun[]>, name: string): ContenderResult {
  const runs = measured[name] as MeasuredRun[];
  const ofPackage = measured["package"] as MeasuredRun[];
  return {
    projectsPerSecond: sampleOf(runs.map(({ projects, ms }) => (projects / ms) * 1_000)),
    cpuMsPerProject: sampleOf(runs.map(({ projects, cpuMs }) => cpuMs / projects)),
    peakMegabytes: sampleOf(runs.map(({ peakMegabytes }) => peakMegabytes)),
    packageIsFasterBy: sampleOf(runs.map(({ ms }, round) => ms / (ofPackage[round] as Run).ms)),
    packageIsFasterByWarm: sampleOf(
      runs.map(({ warmMs }, round) => warmMs / (ofPackage[round] as Run).warmMs),
    ),
    tokenRequests: Math.max(...runs.map(({ tokenRequests }) => tokenRequests)),
    connections: Math.max(...runs.map(({ connections }) => connections)),
  };
}

export interface LatencyResult {
  readonly projects: number;
  readonly latencyMs: number;
  /** Time as a multiple of projects × latency / 16 connections. */
  readonly ofIdeal: Record<string, Sample>;
}

/** The same with a server that takes its time, beside what 16 connections could do at best. */
export async function measureLatency(
  projects: number,
  latencyMs: number,
  runs: number,
): Promise<LatencyResult> {
  const server = await startServer(projects, latencyMs);
  const warmUp = await startServer(warmUpProjects);
  const idealMs = (projects * latencyMs) / 16;
  const multiples: Record<string, number[]> = {};
  try {
    for (let round = 0; round < runs; round++) {
      for (const name of Object.keys(contenders)) {
        const { ms } = await runOnce(name, "available", server, warmUp);
        (multiples[name] ??= []).push(ms / idealMs);
      }
    }
  } finally {
    server.stop();
    warmUp.stop();
  }
  const ofIdeal: Record<string, Sample> = {};
  for (const [name, values] of Object.entries(multiples)) ofIdeal[name] = sampleOf(values);
  return { projects, latencyMs, ofIdeal };
}
