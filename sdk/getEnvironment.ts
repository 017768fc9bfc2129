import type * as pulumi from "@pulumi/pulumi";
import { displayList, displayText } from "../provider/errors/displayText.js";
import {
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../provider/errors/projectServiceError.js";
import type { Database, Environment, Project } from "../provider/model/project.js";
import type { Settings } from "../provider/settings/resolveSettings.js";
import { type ProjectKey, type ProjectOutputKey, readProject } from "./getProject.js";
import { checkProjectArguments } from "./reading/checkArguments.js";
import type {
  DatabaseWithCredentials,
  WithCredentials,
  WithoutCredentials,
} from "./reading/credentialTypes.js";
import type { ReadOptions, ReadOutputOptions } from "./reading/readOptions.js";
import { type ReadFunction, readOutput, readPromise } from "./reading/runRead.js";

/** Names an environment of a project. */
export type EnvironmentKey = ProjectKey & { environmentId: string };

/** Like {@link EnvironmentKey}, with Inputs. */
export type EnvironmentOutputKey = ProjectOutputKey & { environmentId: pulumi.Input<string> };

/** Arguments of {@link getEnvironment}, for a result with credentials. */
export type GetEnvironmentArgs = EnvironmentKey & WithCredentials;

/** Arguments of {@link getEnvironmentOutput}, for a result with credentials. */
export type GetEnvironmentOutputArgs = EnvironmentOutputKey & WithCredentials;

/** An environment, with id and name of its project. */
export type EnvironmentOfProject<D extends Database = Database> = Environment<D> & {
  projectId: string;
  projectName: string;
};

/** An environment whose databases have credentials. */
export type GetEnvironmentResult = EnvironmentOfProject<DatabaseWithCredentials>;

/** Reads one environment of a project, without the credentials of its databases. */
export function getEnvironment(
  args: EnvironmentKey & WithoutCredentials,
  opts?: ReadOptions,
): Promise<EnvironmentOfProject>;
/**
 * Reads one environment of a project.
 *
 * @param args exactly one of `projectId` and `name`; `environmentId`; `includeCredentials`, default
 *   true.
 * @param opts `connection`, default the config namespace `project-service`.
 * @returns the environment, with `projectId` and `projectName`. `databases[].username` and
 *   `databases[].password` are secret Outputs. All other fields are plain values.
 * @throws ProjectServiceError `NOT_FOUND` (no such project, or no such environment; the message lists
 *   the existing environments), and the other codes of {@link getProject}.
 *
 * Source: `projectEnvironments[]` of `GET /projects/{projectId}`.
 *
 * @example
 * const live = await getEnvironment({ projectId: "p-1", environmentId: "live" });
 * const password = live.databases[0]?.password;
 */
export function getEnvironment(
  args: GetEnvironmentArgs,
  opts?: ReadOptions,
): Promise<GetEnvironmentResult>;
export async function getEnvironment(
  args: object,
  opts: ReadOptions = {},
): Promise<EnvironmentOfProject> {
  return readPromise(environmentFunction, args, opts);
}

/** Like {@link getEnvironment}, without credentials, with Inputs as arguments and an Output as result. */
export function getEnvironmentOutput(
  args: EnvironmentOutputKey & WithoutCredentials,
  opts?: ReadOutputOptions,
): pulumi.Output<EnvironmentOfProject>;
/**
 * Like {@link getEnvironment}, with Inputs as arguments and an Output as result.
 *
 * @example
 * const live = getEnvironmentOutput({ projectId: "p-1", environmentId: "live" });
 * export const webroot = live.webroot;
 */
export function getEnvironmentOutput(
  args: GetEnvironmentOutputArgs,
  opts?: ReadOutputOptions,
): pulumi.Output<GetEnvironmentResult>;
export function getEnvironmentOutput(
  args: object,
  opts: ReadOutputOptions = {},
): pulumi.Output<EnvironmentOfProject> {
  return readOutput(environmentFunction, args, opts);
}

type AnyArgs = EnvironmentKey & { includeCredentials?: boolean };

const environmentFunction: ReadFunction<AnyArgs, EnvironmentOfProject> = {
  name: "getEnvironment",
  check: (caller, args) => checkProjectArguments(caller, args, "isGetEnvironment"),
  read: readEnvironment,
};

/**
 * Reads an environment, after the arguments were checked and the settings resolved.
 *
 * @internal
 */
export async function readEnvironment(
  { environmentId, ...args }: AnyArgs,
  settings: Settings,
  isSecret: boolean,
): Promise<EnvironmentOfProject> {
  const project = await readProject(args, settings, isSecret);
  const { projectId, name, environments } = project;
  const environment = environments.find((candidate) => candidate.environmentId === environmentId);
  if (environment === undefined) throw noEnvironment(project, environmentId, isSecret);
  return { ...environment, projectId, projectName: name };
}

function noEnvironment(
  { projectId, name, environments, missingFields }: Project,
  environmentId: string,
  isSecret: boolean,
): ProjectServiceError {
  const project = isSecret
    ? "the project"
    : `project ${displayText(projectId)} (${displayText(name)})`;
  const failure = (code: ProjectServiceErrorCode, message: string) =>
    new ProjectServiceError(code, message, isSecret ? {} : { projectId });
  if (missingFields.includes("environments")) {
    return failure("RESPONSE_INVALID", `The service omits the environments of ${project}.`);
  }
  if (isSecret) return failure("NOT_FOUND", "The project has no environment with the given id.");
  const existing = displayList(environments.map((candidate) => candidate.environmentId));
  return failure(
    "NOT_FOUND",
    `There is no environment "${displayText(environmentId)}" in ${project}. ${existing === "" ? "It has no environments." : `Its environments are ${existing}.`}`,
  );
}
