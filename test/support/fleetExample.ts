import { join } from "node:path";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { repository } from "./paths.js";
import { type CommandResult, type Project, resultOf, run, type Workbench } from "./workbench.js";

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

/** examples/fleet as a Pulumi project of its own, with a sandbox that it reads. */
export interface FleetExample {
  readonly project: Project;
  readonly sandbox: Sandbox;
  /** Environment variables of a CI job. */
  readonly environment: Record<string, string>;
  /** Runs a command in the folder of the example. Resolves for every exit code. */
  command(program: string, ...args: string[]): Promise<CommandResult>;
  /** Returns the ids in the stack of a shard. */
  idsIn(shard: number): Promise<string[]>;
}

export async function startFleetExample(workbench: Workbench, name: string): Promise<FleetExample> {
  const sandbox = await startSandbox();
  const project = await workbench.project(name, { folder: join(repository, "examples/fleet") });
  const environment = { ...project.environment, ...sandbox.environment };

  function command(program: string, ...args: string[]): Promise<CommandResult> {
    const env = { ...process.env, ...environment };
    return resultOf(run(program, args, { cwd: project.directory, env }));
  }

  return {
    project,
    sandbox,
    environment,
    command,
    async idsIn(shard) {
      const { stdout } = await command(
        ...(["pulumi", "stack", "output", "projectIds", "--json"] as const),
        ...["--stack", `shard-${shard}`],
      );
      return JSON.parse(stdout) as string[];
    },
  };
}
