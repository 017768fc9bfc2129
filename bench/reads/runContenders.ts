import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Run } from "./client.js";
import type { CredentialsMode } from "./contenders.js";
import { type RequestCounts, type ServerProcess, startServer } from "./serverProcess.js";

const run = promisify(execFile);
const warmUpProjects = 20;
/** User name and password of 2 databases in 3 environments. */
const secretsPerProject = 12;

export type MeasuredRun = Run & RequestCounts;

/**
 * Runs contenders in turn, `rounds` times. Each run is a new process. The server and a second
 * server for warming up are also separate processes.
 *
 * @returns the runs of each contender, by its name.
 */
export async function runContenders(
  names: readonly string[],
  projects: number,
  latencyMs: number,
  credentials: CredentialsMode,
  rounds: number,
): Promise<Record<string, MeasuredRun[]>> {
  const server = await startServer(projects, latencyMs);
  const warmUp = await startServer(Math.min(projects, warmUpProjects));
  const runs: Record<string, MeasuredRun[]> = Object.fromEntries(names.map((name) => [name, []]));
  try {
    for (let round = 0; round < rounds; round++) {
      for (const name of names) {
        runs[name]?.push(await runContender(name, credentials, server, warmUp));
      }
    }
  } finally {
    server.stop();
    warmUp.stop();
  }
  return runs;
}

async function runContender(
  name: string,
  credentials: CredentialsMode,
  server: ServerProcess,
  warmUp: ServerProcess,
): Promise<MeasuredRun> {
  const args = [join(__dirname, "client.js"), name, credentials, server.url, warmUp.url];
  const { stdout } = await run(process.execPath, args, { env: environmentWithoutProxies() });
  const measured = { ...(JSON.parse(stdout) as Run), ...(await server.takeCounts()) };
  const isComplete =
    measured.projects === server.projectCount &&
    measured.reads === 2 * server.projectCount &&
    measured.secrets === (credentials === "settled" ? secretsPerProject * measured.projects : 0);
  if (!isComplete) {
    throw new Error(`${name} did not read all projects twice: ${JSON.stringify(measured)}`);
  }
  return measured;
}

/** Some contenders would use a proxy, others would not. */
function environmentWithoutProxies(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name));
  return Object.fromEntries(entries);
}
