/* Where `env` and `run` read a project: from the service, or from the outputs of a stack. */
import { didYouMean, displayList, displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import type { Project } from "../../provider/model/project.js";
import { checkPipelineOutputs } from "../../provider/wire/checkPipelineOutputs.js";
import { keepCredentials, withoutCredentials } from "../../provider/wire/credentials.js";
import type { OptionValues } from "../commandLine.js";
import {
  commandSettings,
  serviceWith,
  type settingsOptions,
  settingsSource,
  type stackOptions,
} from "../commandSettings.js";
import { checkDecryption, readPulumi } from "../pulumi.js";

/**
 * Reads the project that has this name or this id, with its credentials only if they are asked for.
 *
 * @throws ProjectServiceError also `NOT_FOUND`, and `AMBIGUOUS_NAME` if several projects have the name, or another one
 *   has it as id.
 */
export async function readNamedProject(
  text: string,
  { credentials, ...options }: OptionValues<typeof settingsOptions> & { credentials: boolean },
): Promise<Project> {
  const service = await serviceWith(await commandSettings(settingsSource(options)));
  const listed = await service.list();
  const found = listed.filter(({ name, projectId }) => name === text || projectId === text);
  const [first] = found;
  const option = `--project ${displayText(text)}`;
  if (first === undefined) {
    const names = listed.map(({ name }) => name);
    throw new ProjectServiceError(
      "NOT_FOUND",
      `${option} is neither the name nor the id of a project. ${didYouMean(text, names, "projects")}.`,
    );
  }
  if (found.length > 1) {
    const projects = displayList(found.map(({ name, projectId }) => `${projectId} (${name})`));
    throw new ProjectServiceError(
      "AMBIGUOUS_NAME",
      `${option} is the name or the id of ${found.length} projects: ${projects}. Pass an id or a name that only one of them has.`,
    );
  }
  const { projectId } = first;
  return service.readProject({ projectId }, credentials ? keepCredentials : withoutCredentials);
}

const place = "the stack";
const otherwise = "pass --project";

/**
 * Reads the project in the outputs of a stack, which the Pulumi CLI prints. With `credentials`, Pulumi decrypts them, and
 * the databases have theirs.
 *
 * @throws ProjectServiceError `SETTINGS_INVALID`, `ARGUMENT_INVALID`, `NOT_FOUND`. The message contains no value.
 */
export async function readRecordedProject({
  credentials,
  ...options
}: OptionValues<typeof stackOptions> & { credentials: boolean }): Promise<Project> {
  const { directory, stack } = settingsSource(options);
  const args = ["stack", "output", "--json", ...(credentials ? ["--show-secrets"] : [])];
  const outputs = Object(await readPulumi(args, directory, stack, otherwise)) as object;
  const needed = {
    project: outputIn(outputs, "project"),
    ...(credentials && { credentials: outputIn(outputs, "credentials") }),
  };
  const { project, credentials: found } = checkPipelineOutputs(needed, place, `or ${otherwise}`);
  if (found === undefined) return project;
  const byEnvironment = new Map(Object.entries(found.databases));
  const environments = project.environments.map((environment) => {
    const known = byEnvironment.get(environment.environmentId) ?? [];
    // A service can leave the associationId out.
    const ofEnvironment = environment.databases.map((each) => ({
      ...known.find(
        ({ name, associationId }) => name === each.name && associationId === each.associationId,
      ),
      ...each,
    }));
    return { ...environment, databases: ofEnvironment };
  });
  return { ...project, environments };
}

function outputIn(outputs: object, name: string): unknown {
  const value: unknown = new Map(Object.entries(outputs)).get(name);
  // Pulumi prints this text in the place of a secret.
  if (JSON.stringify(value)?.includes('"[secret]"')) {
    throw argumentInvalid(
      `A value of the output ${name} in ${place} is hidden: [secret]. Export the project as pipelineOutputs returns it, or pass --credentials.`,
    );
  }
  // CLI 3.220.0 prints this for a wrong passphrase, and ends with 0.
  if (value === null) {
    throw argumentInvalid(`Pulumi could not decrypt the output ${name}. ${checkDecryption}`);
  }
  return value;
}
