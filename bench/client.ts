/* One run of one contender, in a process of its own: `client.js <contender> <mode> <url> <warm-up url>`. */
import * as pulumi from "@pulumi/pulumi";
import { contenders, type Contender, type CredentialsMode } from "./contenders.js";

/** What one run took. */
export interface Run {
  readonly projects: number;
  readonly secrets: number;
  readonly ms: number;
  readonly cpuMs: number;
  /** Of the whole process at its peak. */
  readonly peakMegabytes: number;
}

async function main([name, mode, url, warmUpUrl]: string[]): Promise<void> {
  const contender = contenders[name as string] as Contender;
  // Everything is loaded and has run once, against another server: import time is measured apart.
  await settle(await contender(warmUpUrl as string, mode as CredentialsMode));

  const startCpu = process.cpuUsage();
  const start = performance.now();
  const projects = await contender(url as string, mode as CredentialsMode);
  const secrets = mode === "settled" ? await settle(projects) : 0;
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(startCpu);
  const run: Run = {
    projects: projects.length,
    secrets,
    ms,
    cpuMs: (user + system) / 1_000,
    peakMegabytes: process.resourceUsage().maxRSS / 1_024,
  };
  process.stdout.write(JSON.stringify(run), () => process.exit());
}

interface Settling {
  promise(): Promise<unknown>;
}

/** Reads every secret and waits for its value. */
async function settle(projects: Awaited<ReturnType<Contender>>): Promise<number> {
  const secrets = projects.flatMap(({ environments }) =>
    environments.flatMap(({ databases }) =>
      databases.flatMap((database) =>
        Object.values(database).filter((value) => pulumi.Output.isInstance(value)),
      ),
    ),
  );
  // As Pulumi waits for what it hands to a resource.
  await Promise.all(secrets.map((secret) => (secret as unknown as Settling).promise()));
  return secrets.length;
}

void main(process.argv.slice(2));
