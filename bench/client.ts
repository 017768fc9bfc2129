/* One run of one contender, in a process of its own: `client.js <contender> <mode> <url> <warm-up url>`. */
import * as pulumi from "@pulumi/pulumi";
import { contenders, type Contender, type CredentialsMode } from "./contenders.js";

/** What one run took. */
export interface Run {
  readonly projects: number;
  readonly secrets: number;
  readonly ms: number;
  /** The same once more, in the process that has run it once. */
  readonly warmMs: number;
  readonly cpuMs: number;
  /** Of the whole process at its peak. */
  readonly peakMegabytes: number;
}

async function main([name, mode, url, warmUpUrl]: string[]): Promise<void> {
  const contender = contenders[name as string] as Contender;
  // Everything is loaded and has run once, against another server: import time is measured apart.
  await settle(await contender(warmUpUrl as string, mode as CredentialsMode));

  async function timed() {
    const start = performance.now();
    const projects = await contender(url as string, mode as CredentialsMode);
    const secrets = mode === "settled" ? await settle(projects) : 0;
    return { projects: projects.length, secrets, ms: performance.now() - start };
  }

  const startCpu = process.cpuUsage();
  const first = await timed();
  const { user, system } = process.cpuUsage(startCpu);
  const peakMegabytes = process.resourceUsage().maxRSS / 1_024;
  const warm = await timed();
  const run: Run = { ...first, warmMs: warm.ms, cpuMs: (user + system) / 1_000, peakMegabytes };
  process.stdout.write(JSON.stringify(run), () => process.exit());
}

interface Settling {
  promise(): Promise<unknown>;
}

/**
 * Reads every secret and waits for its value, as Pulumi waits for what it hands to a resource; one
 * project after the other.
 */
async function settle(projects: Awaited<ReturnType<Contender>>): Promise<number> {
  let count = 0;
  for (const { environments } of projects) {
    const secrets = environments.flatMap(({ databases }) =>
      databases.flatMap((database) =>
        Object.values(database).filter((value) => pulumi.Output.isInstance(value)),
      ),
    );
    await Promise.all(secrets.map((secret) => (secret as unknown as Settling).promise()));
    count += secrets.length;
  }
  return count;
}

void main(process.argv.slice(2));
