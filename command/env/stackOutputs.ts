import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { displayList, displayText } from "../../provider/errors/displayText.js";
import type {
  Environment,
  Project,
  SnapshotDatabaseCredentials,
} from "../../provider/model/project.js";
import type { StackOutput } from "../../provider/wire/pipelineOutputs.js";

/** What Pulumi prints in place of a secret. */
export const hiddenSecret = "[secret]";

/** Which parts of the outputs the command needs. */
export interface Selection {
  readonly environmentId: string;
  /** Whether the credentials are needed. */
  readonly credentials: boolean;
  /** The name of the output with the project. */
  readonly projectOutput: string;
  /** The name of the output with the credentials. */
  readonly credentialsOutput: string;
}

/** What the command needs of the outputs of a stack. */
export interface StackOutputs {
  readonly project: Project;
  readonly environment: Environment;
  /** Undefined without `--credentials`. */
  readonly credentials: EnvironmentCredentials | undefined;
}

/** The credentials of an environment and of the project's repository. */
export interface EnvironmentCredentials {
  readonly databases: readonly SnapshotDatabaseCredentials[];
  readonly importRepository: unknown;
}

const hint =
  "Pass it the JSON of the outputs: pulumi stack output --json | pulumi-project-service env …";

/**
 * Returns the project, its environment and its credentials from the JSON that `pulumi stack output
 * --json` prints.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID`, `NOT_FOUND`. The message contains no value.
 */
export async function parseStackOutputs(json: string, selection: Selection): Promise<StackOutputs> {
  const outputs = parse(json);
  const { projectOfOutput, credentialsOfOutput } =
    await import("../../provider/wire/pipelineOutputs.js");
  const output = (name: string, option: string): StackOutput => {
    const value = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
    refuseHidden(name, value);
    const names = Object.keys(outputs);
    return { name, value, names, place: "standard input", option };
  };
  const projectOutput = output(selection.projectOutput, "--project-output");
  const project = projectOfOutput(projectOutput);
  const environment = environmentOf(project, selection.environmentId);
  if (!selection.credentials) return { project, environment, credentials: undefined };
  const { databases, importRepository } = credentialsOfOutput(
    output(selection.credentialsOutput, "--credentials-output"),
    projectOutput,
  );
  const ofEnvironment = new Map(Object.entries(databases)).get(environment.environmentId) ?? [];
  checkDatabases(environment, ofEnvironment, selection);
  return { project, environment, credentials: { databases: ofEnvironment, importRepository } };
}

/** Refuses credentials that were read at another time, and so of other databases. */
function checkDatabases(
  { environmentId, databases }: Environment,
  credentials: readonly SnapshotDatabaseCredentials[],
  { projectOutput, credentialsOutput }: Selection,
): void {
  const namesIn = (list: readonly { name: string }[]) =>
    JSON.stringify(list.map(({ name }) => name).sort());
  if (namesIn(databases) === namesIn(credentials)) return;
  throw argumentInvalid(
    `The output ${displayText(credentialsOutput)} does not have the credentials of the databases of environment ${displayText(environmentId)} in the output ${displayText(projectOutput)}. Pass two outputs that were read together with --project-output and --credentials-output.`,
  );
}

function parse(json: string): Readonly<Record<string, unknown>> {
  if (json.trim() === "") {
    throw argumentInvalid(
      `Standard input is empty. ${hint} If that command failed, its message is above.`,
    );
  }
  const outputs = parseJson(json);
  if (typeof outputs === "object" && outputs !== null && !Array.isArray(outputs)) {
    return outputs as Record<string, unknown>;
  }
  throw argumentInvalid(`Standard input must be a JSON object with all outputs. ${hint}`);
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // V8's message would quote the text, which may contain credentials.
    throw argumentInvalid(`Standard input is not JSON. ${hint}`);
  }
}

function refuseHidden(name: string, value: unknown): void {
  if (value !== hiddenSecret) return;
  throw argumentInvalid(
    `The output ${displayText(name)} in standard input is hidden: ${hiddenSecret}. Pass the outputs with their secrets: pulumi stack output --json --show-secrets`,
  );
}

function environmentOf({ name, environments }: Project, id: string): Environment {
  const environment = environments.find(({ environmentId }) => environmentId === id);
  if (environment !== undefined) return environment;
  const ids = environments.map(({ environmentId }) => environmentId);
  const existing = ids.length === 0 ? "It has none." : `It has ${displayList(ids)}.`;
  throw new ProjectServiceError(
    "NOT_FOUND",
    `The project ${displayText(name)} has no environment ${displayText(id)}. ${existing}`,
  );
}
