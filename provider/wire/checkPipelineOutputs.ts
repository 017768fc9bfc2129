import { argumentInvalid, ProjectServiceError } from "../errors/projectServiceError.js";
import { displayText } from "../errors/displayText.js";
import { InvalidResponseError } from "../errors/requestFailure.js";
import type { Project, ProjectCredentials } from "../model/project.js";
import { validatePipelineCredentials, validatePipelineProject } from "./validate.js";

/** An output of a stack, and where somebody looked for it. */
export interface StackOutput {
  readonly name: string;
  /** Undefined if the stack has no such output. */
  readonly value: unknown;
  /** For instance `the stack organization/hosting/dev`. */
  readonly place: string;
  /** How to do without, for instance `or pass --project`. */
  readonly otherwise: string;
}

/**
 * Returns an output as the project that `pipelineOutputs` exports.
 *
 * @throws ProjectServiceError `NOT_FOUND` if the stack has no such output, `ARGUMENT_INVALID` for another shape.
 */
export function projectOfOutput(output: StackOutput): Project {
  return checked(output, "project", validatePipelineProject);
}

/**
 * Like {@link projectOfOutput}, for the credentials.
 *
 * @param project the output with the project to which they must belong.
 */
export function credentialsOfOutput(output: StackOutput, project: StackOutput): ProjectCredentials {
  const credentials = checked(output, "credentials", validatePipelineCredentials);
  if (credentials.projectId === projectOfOutput(project).projectId) return credentials;
  throw argumentInvalid(
    `The output ${displayText(output.name)} in ${output.place} does not belong to the same project as the output ${displayText(project.name)}. Export both from one call of pipelineOutputs, ${output.otherwise}.`,
  );
}

function checked<T>(
  { name, value, place, otherwise }: StackOutput,
  key: string,
  validate: (value: unknown) => T,
): T {
  const advice = `Export the ${key} of pipelineOutputs, ${otherwise}.`;
  if (value === undefined) {
    throw new ProjectServiceError(
      "NOT_FOUND",
      `There is no output ${displayText(name)} in ${place}. ${advice} With includeCredentials: false there are no credentials.`,
    );
  }
  try {
    return validate(value);
  } catch (error) {
    if (!(error instanceof InvalidResponseError)) throw error;
    throw argumentInvalid(
      `The output ${displayText(name)} in ${place} does not have the shape that pipelineOutputs exports as ${key}: ${error.message}. ${advice}`,
    );
  }
}
