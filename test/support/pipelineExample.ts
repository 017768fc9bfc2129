import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { repository } from "./paths.js";
import { credentialsIn, LeakSearch, secretsOf } from "./leakSearch.js";
import { type CommandResult, type Project, resultOf, run, type Workbench } from "./workbench.js";

/** examples/pipeline as a Pulumi project of its own, with a sandbox that it reads. */
export interface PipelineExample {
  readonly project: Project;
  readonly sandbox: Sandbox;
  /** Environment variables of a CI job. */
  readonly environment: Record<string, string>;
  /** Runs a command as a CI job does. Resolves for every exit code. */
  job(program: string, ...args: string[]): Promise<CommandResult>;
  /** Returns the live environment of the project in the sandbox, to be changed there. */
  live(): Sandbox["projects"][number]["projectEnvironments"][number];
  assertHoldsNoSecret(...texts: [where: string, text: string][]): void;
}

export async function startPipelineExample(
  workbench: Workbench,
  name: string,
): Promise<PipelineExample> {
  const sandbox = await startSandbox();
  const credentials = credentialsIn(sandbox.projects);
  const project = await workbench.project(name, { folder: join(repository, "examples/pipeline") });
  await project.setConfig({ project: { value: "shop" } });
  const ship = join(project.directory, "ship.sh");
  await writeFile(ship, `#!/bin/sh\ncp -rp "$1" "${project.directory}/shipped"\n`, { mode: 0o755 });
  // The settings come from environment variables, as in CI.
  const environment = {
    ...project.environment,
    ...sandbox.environment,
    PULUMI_STACK: "test",
    SHIP: ship,
  };
  return {
    project,
    sandbox,
    environment,
    job(program, ...args) {
      const env = { ...process.env, ...environment };
      return resultOf(run(program, args, { cwd: project.directory, env }));
    },
    live: () => sandbox.projects[0]?.projectEnvironments[0] ?? assert.fail(),
    assertHoldsNoSecret(...texts) {
      // A test may have changed the credentials.
      const search = new LeakSearch([...credentials, ...secretsOf(sandbox)]);
      for (const [where, text] of texts) search.text(where, text);
    },
  };
}
