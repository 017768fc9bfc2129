import { isUtf8 } from "node:buffer";
import { displayList, displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import type { Environment, Project } from "../../provider/model/project.js";
import {
  credentialsOfOutput,
  projectOfOutput,
  type StackOutput,
} from "../../provider/wire/checkPipelineOutputs.js";
import { parseJsonText } from "../parseJsonText.js";
import { hiddenSecret } from "../pulumi.js";

/** What the command needs of the outputs of a stack. */
export type StackOutputs = ReturnType<typeof readStackOutputs>;

const hint = "Pass it the JSON that pulumi stack output --json prints.";

/**
 * Returns the project, its environment and its credentials from the JSON that `pulumi stack output --json` prints.
 *
 * @param credentialsOutput the output with the credentials. Without it, none are returned.
 * @throws ProjectServiceError `ARGUMENT_INVALID`, `NOT_FOUND`. The message contains no value.
 */
export function readStackOutputs(
  bytes: Buffer,
  environmentId: string,
  projectOutput: string,
  credentialsOutput?: string,
) {
  const outputs = parse(bytes);
  const output = (name: string, option: string): StackOutput => {
    const value = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
    if (value === hiddenSecret) throw valueNotShown(`output ${displayText(name)}`);
    return { name, value, names: Object.keys(outputs), place: "standard input", option };
  };
  const ofProject = output(projectOutput, "--project-output");
  const project = projectOfOutput(ofProject);
  const environment = environmentOf(project, environmentId);
  if (credentialsOutput === undefined) return { project, environment };

  const ofCredentials = output(credentialsOutput, "--credentials-output");
  const { databases, importRepository } = credentialsOfOutput(ofCredentials, ofProject);
  const ofEnvironment = new Map(Object.entries(databases)).get(environmentId) ?? [];
  return { project, environment, credentials: { databases: ofEnvironment, importRepository } };
}

/** The error for a value that Pulumi did not show. */
export function valueNotShown(what: string): ProjectServiceError {
  return argumentInvalid(
    `The ${what} in standard input is hidden: ${hiddenSecret}. Pass the outputs with their secrets: pulumi stack output --json --show-secrets`,
  );
}

function parse(bytes: Buffer): Readonly<Record<string, unknown>> {
  if (!isUtf8(bytes)) throw argumentInvalid(`Standard input is not UTF-8 text. ${hint}`);
  const outputs = parseJsonText(bytes.toString(), hint, "Standard input");
  if (typeof outputs === "object" && outputs !== null && !Array.isArray(outputs)) {
    return outputs as Record<string, unknown>;
  }
  throw argumentInvalid(`Standard input must be a JSON object with all outputs. ${hint}`);
}

function environmentOf({ name, environments }: Project, id: string): Environment {
  const environment = environments.find(({ environmentId }) => environmentId === id);
  if (environment !== undefined) return environment;
  const ids = environments.map(({ environmentId }) => environmentId);
  throw new ProjectServiceError(
    "NOT_FOUND",
    `The project ${displayText(name)} has no environment ${displayText(id)}. It has ${displayList(ids) || "none"}.`,
  );
}
