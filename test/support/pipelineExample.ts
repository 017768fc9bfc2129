import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startSandbox } from "./testSandbox.js";
import { CiExample } from "./ciJobs.js";
import { credentialsIn, LeakSearch, secretsOf } from "./leakSearch.js";
import { repository } from "./paths.js";
import type { Workbench } from "./workbench.js";

/** examples/pipeline. */
export class PipelineExample extends CiExample {
  private readonly credentials = credentialsIn(this.sandbox.projects);

  /** Returns the live environment of the project in the sandbox, to be changed there. */
  live() {
    return this.sandbox.projects[0]?.projectEnvironments[0] ?? assert.fail();
  }

  assertHoldsNoSecret(...texts: [where: string, text: string][]): void {
    // A test may have changed the credentials.
    const search = new LeakSearch([...this.credentials, ...secretsOf(this.sandbox)]);
    for (const [where, text] of texts) search.text(where, text);
  }
}

export async function startPipelineExample(
  workbench: Workbench,
  name: string,
): Promise<PipelineExample> {
  const project = await workbench.project(name, { folder: join(repository, "examples/pipeline") });
  await project.setConfig({ project: { value: "shop" } });
  const example = new PipelineExample(project, await startSandbox());
  const ship = join(project.directory, "ship.sh");
  await writeFile(ship, `#!/bin/sh\ncp -rp "$1" "${project.directory}/shipped"\n`, { mode: 0o755 });
  // The settings come from environment variables, as in CI.
  Object.assign(example.environment, { PULUMI_STACK: "test", SHIP: ship });
  return example;
}
