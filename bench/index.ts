/*
 * `npm run bench`: reads 1,000 projects with the package and by hand with axios, in turn, each run in a new process.
 * Prints how many projects a second the package reads for each one by hand.
 */
import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import type { contenders, Mode } from "./client.js";

const run = promisify(execFile);
const projectCount = 1_000;
const pairs = 15;
const secretsPerProject: Record<Mode, number> = {
  "no credentials": 0,
  "one credential of each project": 1,
  // User name and password of 2 databases in 3 environments.
  "all credentials": 12,
};

async function main(): Promise<void> {
  console.log(`Node ${process.version}, ${projectCount} projects, 16 reads at the same time`);
  const measured: [Mode, number][] = [
    ["all credentials", 0],
    ["one credential of each project", 0],
    ["no credentials", 0],
    ["no credentials", 20],
    // The package makes secrets when the program reads them, and not while it waits for responses.
    ["all credentials", 20],
  ];
  for (const [mode, latencyMs] of measured) {
    const servers = [await startServer(projectCount, latencyMs), await startServer(20, 0)];
    const urls = servers.map(({ url }) => url);
    const ownMs: number[] = [];
    const ratios: number[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      const ms = await measure("package", mode, urls);
      ownMs.push(ms);
      ratios.push((await measure("axios", mode, urls)) / ms);
    }
    for (const { stop } of servers) stop();
    const [least, median, most] = summary(ratios).map((ratio) => ratio.toFixed(2));
    const times = `${median} × axios (${least} to ${most} in ${pairs} pairs), ${summary(ownMs)[1]?.toFixed()} ms`;
    console.log(`${mode}, ${latencyMs} ms latency: ${times}`);
  }
}

/** Returns the least, the median and the largest of some values. */
function summary(values: number[]): number[] {
  const sorted = values.sort((a, b) => a - b);
  return [0, (pairs - 1) / 2, pairs - 1].map((index) => sorted[index] ?? NaN);
}

async function startServer(count: number, latencyMs: number) {
  const child = fork(join(__dirname, "server.js"), [String(count), String(latencyMs)]);
  const [url] = (await once(child, "message")) as [string];
  return { url, stop: () => child.disconnect() };
}

async function measure(
  name: keyof typeof contenders,
  mode: Mode,
  urls: readonly string[],
): Promise<number> {
  const env = { ...process.env, no_proxy: "127.0.0.1" };
  const args = [join(__dirname, "client.js"), name, mode, ...urls];
  const { stdout } = await run(process.execPath, args, { env });
  // Before, there can be lines that show how many projects were read.
  const [printed = ""] = stdout.split("\n").slice(-1);
  const { ms, projects, secrets } = JSON.parse(printed) as Record<string, number>;
  const expected = projectCount * secretsPerProject[mode];
  if (projects === projectCount && secrets === expected && ms !== undefined) return ms;
  throw new Error(`${name} did not read everything: ${stdout}`);
}

void main();
