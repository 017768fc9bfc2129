import { join } from "node:path";
import { startSandbox } from "../../sandbox/index.js";
import { CiExample } from "./ciJobs.js";
import { repository } from "./paths.js";
import type { Workbench } from "./workbench.js";

/**
 * The ids of each of four shards. The first four bytes of the SHA-256 of the id, modulo 4, decide the
 * shard. For p-1 these bytes are 0x1dee6e3e, so its shard is 2.
 */
export const idsByShard = [
  ["p-11", "p-12", "p-7"],
  ["p-10", "p-2", "p-4", "p-9"],
  ["p-1", "p-5"],
  ["p-3", "p-6", "p-8"],
];

/** examples/fleet. */
export class FleetExample extends CiExample {
  /** Returns the ids in the stack of a shard. */
  async idsIn(shard: number): Promise<string[]> {
    const { stdout } = await this.job(
      ...(["pulumi", "stack", "output", "projectIds", "--json"] as const),
      ...["--stack", `shard-${shard}`],
    );
    return JSON.parse(stdout) as string[];
  }
}

export async function startFleetExample(workbench: Workbench, name: string): Promise<FleetExample> {
  const project = await workbench.project(name, { folder: join(repository, "examples/fleet") });
  return new FleetExample(project, await startSandbox());
}
