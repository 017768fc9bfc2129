import type * as pulumi from "@pulumi/pulumi";
import { ProjectServiceError } from "../provider/errors.js";
import type { Database, Environment, Project } from "../provider/project.js";
import type { Settings } from "../provider/resolveSettings.js";
import { listed, shown } from "../provider/shown.js";
import { checkProjectArguments, checkText } from "./checkArguments.js";
import type { DatabaseWithCredentials } from "./credentials.js";
import {
  type CredentialsIncluded,
  type CredentialsLeftOut,
  type GetProjectArgs,
  type ProjectKey,
  type ProjectOutputKey,
  readProject,
} from "./getProject.js";
import {
  type ReadFunction,
  readOutput,
  type ReadOptions,
  type ReadOutputOptions,
  readPromise,
} from "./readOptions.js";

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
  args: AnyArgs,
  opts: ReadOptions = {},
): Promise<EnvironmentOfProject<Database>> {
  return readPromise(environmentRead, args, opts);
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
  return readOutput(environmentRead, args, opts);
}

type AnyArgs = GetEnvironmentArgs | (EnvironmentKey & CredentialsLeftOut);

const environmentRead: ReadFunction<AnyArgs, EnvironmentOfProject<Database>> = {
  name: "getEnvironment",
  check(caller, args) {
    checkProjectArguments(caller, args, ["environmentId"]);
    checkText(caller, "environmentId", (args as Record<string, unknown>)["environmentId"]);
  },
  read: readEnvironment,
};

async function readEnvironment(
  { environmentId, ...project }: AnyArgs,
  settings: Settings,
): Promise<EnvironmentOfProject<Database>> {
  return environmentOf(await readProject(project as GetProjectArgs, settings), environmentId);
}

function environmentOf<D extends Database>(
  { projectId, name, environments }: Pick<Project<never, D>, "projectId" | "name" | "environments">,
  environmentId: string,
): EnvironmentOfProject<D> {
  const environment = environments.find((candidate) => candidate.environmentId === environmentId);
  if (environment !== undefined) return { ...environment, projectId, projectName: name };
  const existing = listed(environments.map((candidate) => candidate.environmentId));
  throw new ProjectServiceError(
    "NOT_FOUND",
    `Project ${shown(projectId)} (${shown(name)}) has no environment "${shown(environmentId)}". ` +
      (existing === "" ? "It has none at all." : `It has ${existing}.`),
    { projectId },
  );
}
