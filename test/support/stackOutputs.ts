import type { Sandbox } from "../../sandbox/index.js";
import { getProject, pipelineOutputs } from "../../sdk/index.js";
import { settled } from "./settled.js";

/**
 * Returns what `pulumi stack output --json --show-secrets` prints for a stack that exports the pipeline
 * outputs of a project.
 */
export async function stackOutputsOf({ connection }: Sandbox, name: string): Promise<string> {
  const { project, credentials } = pipelineOutputs(await getProject({ name }, { connection }));
  return JSON.stringify({
    project: (await settled(project)).value,
    credentials: (await settled(credentials)).value,
  });
}
