import type * as pulumi from "@pulumi/pulumi";
import { ProjectServiceError } from "../provider/errors.js";
import type { Database, Environment, Project } from "../provider/project.js";
import { argumentInvalid, checkKeys, checkProjectArguments, checkText } from "./checkArguments.js";
import type { DatabaseWithCredentials } from "./credentials.js";
import {
  type CredentialsIncluded,
  type CredentialsLeftOut,
  getProject,
  type GetProjectArgs,
  type ProjectKey,
  type ProjectOutputKey,
} from "./getProject.js";
import { readOutput, type ReadOptions, type ReadOutputOptions } from "./readOptions.js";

/** Names an environment of a project. */
export type EnvironmentKey = ProjectKey & { environmentId: string };

/** As {@link EnvironmentKey}, of Inputs. */
export type EnvironmentOutputKey = ProjectOutputKey & { environmentId: pulumi.Input<string> };

/** Arguments of {@link getEnvironment}. */
export type GetEnvironmentArgs = EnvironmentKey & CredentialsIncluded;

/** Arguments of {@link getEnvironmentOutput}. */
export type GetEnvironmentOutputArgs = EnvironmentOutputKey & CredentialsIncluded;

/** An environment, with the project it is one of. */
export type EnvironmentOfProject<D extends Database> = Environment<D> & {
  projectId: string;
  projectName: string;
};

/** An environment with credentials: `databases[].username` and `.password` are secret. */
export type GetEnvironmentResult = EnvironmentOfProject<DatabaseWithCredentials>;

/** An environment without `username` and `password`. */
export type GetEnvironmentWithoutCredentialsResult = EnvironmentOfProject<Database>;

const argumentKeys = ["projectId", "name", "environmentId", "includeCredentials"];

/**
 * Reads one environment of a project.
 *
 * @param args exactly one of `projectId` and `name`; `environmentId`; `includeCredentials`, default
 *   true.
 * @param opts `connection`, default the config namespace `project-service`.
 * @returns the environment with `projectId` and `projectName`; of it, `databases[].username` and
 *   `.password` are secret Outputs, the rest is plain.
 * @throws ProjectServiceError `NOT_FOUND` (no such project, or no such environment: then with those
 *   there are), and as {@link getProject}.
 *
 * Source: `projectEnvironments[]` of `GET /projects/{projectId}`.
 *
 * @example
 * const live = await getEnvironment({ projectId: "p-1", environmentId: "live" });
 * const password = live.databases[0]?.password;
 */
export function getEnvironment(
  args: EnvironmentKey & CredentialsLeftOut,
  opts?: ReadOptions,
): Promise<GetEnvironmentWithoutCredentialsResult>;
export function getEnvironment(
  args: GetEnvironmentArgs,
  opts?: ReadOptions,
): Promise<GetEnvironmentResult>;
export async function getEnvironment(
  args: GetEnvironmentArgs | (EnvironmentKey & CredentialsLeftOut),
  opts: ReadOptions = {},
): Promise<EnvironmentOfProject<Database>> {
  checkKeys("The arguments of getEnvironment", args, argumentKeys);
  checkProjectArguments("getEnvironment", args);
  const { environmentId, ...projectArgs } = args;
  if (environmentId === undefined) throw argumentInvalid("getEnvironment needs an environmentId.");
  checkText("getEnvironment", "environmentId", environmentId);
  return environmentOf(await getProject(projectArgs as GetProjectArgs, opts), environmentId);
}

/**
 * As {@link getEnvironment}, with Inputs for arguments and an Output for result.
 *
 * @example
 * const live = getEnvironmentOutput({ projectId: "p-1", environmentId: "live" });
 * export const webroot = live.webroot;
 */
export function getEnvironmentOutput(
  args: EnvironmentOutputKey & CredentialsLeftOut,
  opts?: ReadOutputOptions,
): pulumi.Output<GetEnvironmentWithoutCredentialsResult>;
export function getEnvironmentOutput(
  args: GetEnvironmentOutputArgs,
  opts?: ReadOutputOptions,
): pulumi.Output<GetEnvironmentResult>;
export function getEnvironmentOutput(
  args: GetEnvironmentOutputArgs | (EnvironmentOutputKey & CredentialsLeftOut),
  opts: ReadOutputOptions = {},
): pulumi.Output<EnvironmentOfProject<Database>> {
  checkKeys("The arguments of getEnvironmentOutput", args, argumentKeys);
  return readOutput(args, opts, (known: GetEnvironmentArgs, options) =>
    getEnvironment(known, options),
  );
}

function environmentOf<D extends Database>(
  { projectId, name, environments }: Pick<Project<never, D>, "projectId" | "name" | "environments">,
  environmentId: string,
): EnvironmentOfProject<D> {
  const environment = environments.find((candidate) => candidate.environmentId === environmentId);
  if (environment !== undefined) return { ...environment, projectId, projectName: name };
  const existing = environments.map((candidate) => candidate.environmentId).join(", ");
  throw new ProjectServiceError(
    "NOT_FOUND",
    `Project ${projectId} (${name}) has no environment ${JSON.stringify(environmentId)}. ` +
      (existing === "" ? "It has none at all." : `It has ${existing}.`),
    { projectId },
  );
}
