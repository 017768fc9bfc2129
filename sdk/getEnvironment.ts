import type * as pulumi from "@pulumi/pulumi";
import { displayList, displayText } from "../provider/errors/displayText.js";
import { ProjectServiceError } from "../provider/errors/projectServiceError.js";
import type { Database, Environment, Project } from "../provider/model/project.js";
import type { Settings } from "../provider/settings/resolveSettings.js";
import type { CredentialsOption, DatabaseWithCredentials } from "./reading/credentialTypes.js";
import { type ProjectKey, type ProjectOutputKey, readProject } from "./getProject.js";
import { checkProjectArguments, checkText } from "./reading/checkArguments.js";
import { type ReadFunction, readOutput, readPromise } from "./reading/runRead.js";
import type { ReadOptions, ReadOutputOptions } from "./reading/readOptions.js";

/** Names an environment of a project. */
export type EnvironmentKey = ProjectKey & { environmentId: string };

/** Like {@link EnvironmentKey}, with Inputs. */
export type EnvironmentOutputKey = ProjectOutputKey & { environmentId: pulumi.Input<string> };

/** Arguments of {@link getEnvironment}. */
export type GetEnvironmentArgs<C extends boolean = true> = EnvironmentKey & CredentialsOption<C>;

/** Arguments of {@link getEnvironmentOutput}. */
export type GetEnvironmentOutputArgs<C extends boolean = true> = EnvironmentOutputKey &
  CredentialsOption<C>;

/** An environment, with id and name of its project. */
export type EnvironmentOfProject<D extends Database> = Environment<D> & {
  projectId: string;
  projectName: string;
};

/** An environment. `C` says whether its databases have credentials. */
export type GetEnvironmentResult<C extends boolean = true> = EnvironmentOfProject<
  C extends false ? Database : DatabaseWithCredentials
>;

/** An environment without `username` and `password`. */
export type GetEnvironmentWithoutCredentialsResult = GetEnvironmentResult<false>;

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
export async function getEnvironment<C extends boolean = true>(
  args: GetEnvironmentArgs<C>,
  opts: ReadOptions = {},
): Promise<GetEnvironmentResult<C>> {
  return readPromise(environmentFunction, args, opts) as Promise<GetEnvironmentResult<C>>;
}

/**
 * Like {@link getEnvironment}, with Inputs as arguments and an Output as result.
 *
 * @example
 * const live = getEnvironmentOutput({ projectId: "p-1", environmentId: "live" });
 * export const webroot = live.webroot;
 */
export function getEnvironmentOutput<C extends boolean = true>(
  args: GetEnvironmentOutputArgs<C>,
  opts: ReadOutputOptions = {},
): pulumi.Output<GetEnvironmentResult<C>> {
  return readOutput(environmentFunction, args, opts) as pulumi.Output<GetEnvironmentResult<C>>;
}

type AnyArgs = EnvironmentKey & { includeCredentials?: boolean };

const environmentFunction: ReadFunction<AnyArgs, EnvironmentOfProject<Database>> = {
  name: "getEnvironment",
  check(caller, args) {
    checkProjectArguments(caller, args, ["environmentId"]);
    checkText(caller, "environmentId", (args as Record<string, unknown>)["environmentId"]);
  },
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
): Promise<EnvironmentOfProject<Database>> {
  return environmentOf(await readProject(args, settings, isSecret), environmentId, isSecret);
}

function environmentOf(
  { projectId, name, environments, missingFields }: Project,
  environmentId: string,
  isSecret: boolean,
): EnvironmentOfProject<Database> {
  const environment = environments.find((candidate) => candidate.environmentId === environmentId);
  if (environment !== undefined) return { ...environment, projectId, projectName: name };
  if (missingFields.includes("environments")) {
    const project = isSecret
      ? "the project"
      : `project ${displayText(projectId)} (${displayText(name)})`;
    throw new ProjectServiceError(
      "RESPONSE_INVALID",
      `The service omits the environments of ${project}.`,
      isSecret ? {} : { projectId },
    );
  }
  if (isSecret) {
    throw new ProjectServiceError("NOT_FOUND", "The project has no environment with the given id.");
  }
  const existing = environments.map((candidate) => candidate.environmentId);
  throw new ProjectServiceError(
    "NOT_FOUND",
    `Project ${displayText(projectId)} (${displayText(name)}) has no environment "${displayText(environmentId)}". ` +
      (existing.length === 0
        ? "It has no environments."
        : `Its environments are ${displayList(existing)}.`),
    { projectId },
  );
}
