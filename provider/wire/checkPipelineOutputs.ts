import { displayText } from "../errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../errors/projectServiceError.js";
import { InvalidResponseError } from "../errors/requestFailure.js";
import type { Project, ProjectCredentials } from "../model/project.js";
import { validatePipelineOutputs } from "./validate.js";

/**
 * Checks the outputs of a stack, which must be those of one call of `pipelineOutputs`.
 *
 * @param outputs those that are needed. Undefined if the stack has no such output.
 * @param place for instance `the stack organization/hosting/dev`.
 * @param otherwise how to do without, for instance `or pass --project`.
 * @throws ProjectServiceError `NOT_FOUND`, and `ARGUMENT_INVALID` for another shape.
 */
export function checkPipelineOutputs(
  outputs: { readonly project: unknown; readonly credentials?: unknown },
  place: string,
  otherwise: string,
  names: { readonly [key: string]: string | undefined } = {},
): { readonly project: Project; readonly credentials?: ProjectCredentials } {
  const advice = `Export both outputs of one call of pipelineOutputs, ${otherwise}.`;
  for (const [key, value] of Object.entries(outputs)) {
    if (value !== undefined) continue;
    throw new ProjectServiceError(
      "NOT_FOUND",
      `There is no output ${displayText(names[key] ?? key)} in ${place}. ${advice} With includeCredentials: false there are no credentials.`,
    );
  }
  // Pulumi reads {} instead of a secret of another stack that it cannot decrypt.
  const isEncrypted = JSON.stringify(outputs.credentials) === "{}";
  const problem = `Pulumi cannot decrypt the credentials in ${place}. Check PULUMI_CONFIG_PASSPHRASE, which must be the same for both stacks, or the access to its secrets provider.`;
  if (isEncrypted) throw argumentInvalid(problem);
  try {
    const { project, credentials } = validatePipelineOutputs(outputs);
    if (credentials === undefined) return { project };
    if (credentials.projectId === project.projectId) return { project, credentials };
    throw new InvalidResponseError("credentials and project belong to different projects");
  } catch (error) {
    if (!(error instanceof InvalidResponseError)) throw error;
    throw argumentInvalid(
      `The outputs of ${place} do not have the shape that pipelineOutputs exports: ${error.message}. ${advice}`,
    );
  }
}
