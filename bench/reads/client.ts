/*
 * `client.js <contender> <credentials mode> <url> <warm-up url>`: runs one contender in this process
 * and prints the result as JSON.
 */
import * as pulumi from "@pulumi/pulumi";
import { contenders, type Contender, type CredentialsMode } from "./contenders.js";

/** The measurements of one run. */
export interface Run {
  readonly projects: number;
  readonly secrets: number;
  readonly ms: number;
  /** The time of a second run in the same process. */
  readonly warmMs: number;
  readonly cpuMs: number;
  /** The peak of the whole process. */
  readonly peakMegabytes: number;
}

async function main([name, mode, url, warmUpUrl]: string[]): Promise<void> {
  const contender = contenders[name as string] as Contender;
  // Loads all code and runs it once, against another server. measureImport measures the import time.
  await settleSecrets(await contender(warmUpUrl as string, mode as CredentialsMode));

  async function timed() {
    const startMs = performance.now();
    const projects = await contender(url as string, mode as CredentialsMode);
    const secrets = mode === "settled" ? await settleSecrets(projects) : 0;
    return { projects: projects.length, secrets, ms: performance.now() - startMs };
  }

  const startCpu = process.cpuUsage();
  const first = await timed();
  const { user, system } = process.cpuUsage(startCpu);
  const peakMegabytes = process.resourceUsage().maxRSS / 1_024;
  const warm = await timed();
  const run: Run = { ...first, warmMs: warm.ms, cpuMs: (user + system) / 1_000, peakMegabytes };
  process.stdout.write(JSON.stringify(run), () => process.exit());
}

/** An Output, with a method that its type does not declare. */
interface InternalOutput {
  promise(): Promise<unknown>;
}

/**
 * Waits for the value of every secret, as Pulumi does for the arguments of a resource, one project
 * after the other. Returns the number of secrets.
 */
async function settleSecrets(projects: Awaited<ReturnType<Contender>>): Promise<number> {
  let count = 0;
  for (const { environments } of projects) {
    const secrets = environments.flatMap(({ databases }) =>
      databases.flatMap((database) =>
        Object.values(database).filter((value) => pulumi.Output.isInstance(value)),
      ),
    );
    await Promise.all(secrets.map((secret) => (secret as unknown as InternalOutput).promise()));
    count += secrets.length;
  }
  return count;
}

void main(process.argv.slice(2));
