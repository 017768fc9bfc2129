import type * as pulumi from "@pulumi/pulumi";
import type { Project } from "../provider/model/project.js";
import type { Settings } from "../provider/settings/resolveSettings.js";
import type { CredentialsOption, ProjectWithCredentials } from "./reading/credentialTypes.js";
import { checkProjectArguments } from "./reading/checkArguments.js";
import {
  loadProjectService,
  type ReadFunction,
  readOutput,
  readPromise,
} from "./reading/runRead.js";
import { secretCredentials } from "./reading/secretCredentials.js";
import type { ReadOptions, ReadOutputOptions } from "./reading/readOptions.js";

/** Names a project: by its id, or by its name if only one project has that name. */
export type ProjectKey =
  { projectId: string; name?: undefined } | { name: string; projectId?: undefined };

/** Like {@link ProjectKey}, with Inputs. */
export type ProjectOutputKey =
  | { projectId: pulumi.Input<string>; name?: undefined }
  | { name: pulumi.Input<string>; projectId?: undefined };

/** Arguments of {@link getProject}. */
export type GetProjectArgs<C extends boolean = true> = ProjectKey & CredentialsOption<C>;

/** Arguments of {@link getProjectOutput}. */
export type GetProjectOutputArgs<C extends boolean = true> = ProjectOutputKey &
  CredentialsOption<C>;

/** A project. `C` says whether it has credentials. */
export type GetProjectResult<C extends boolean = true> = C extends false
  ? Project
  : ProjectWithCredentials;

/** A project without `username`, `password` and `importRepository`. */
export type GetProjectWithoutCredentialsResult = GetProjectResult<false>;

/**
 * Reads one project.
 *
 * @param args exactly one of `projectId` and `name`; `includeCredentials`, default true.
 * @param opts `connection`, default the config namespace `project-service`.
 * @returns the project. `codeRepository.importRepository` is a secret Output, and so are `username`
 *   and `password` in `environments[].databases[]`. All other fields are plain values.
 * @throws ProjectServiceError `NOT_FOUND` (no such project; for a name, the message lists the existing
 *   names), `AMBIGUOUS_NAME` (the message lists the ids), `FORBIDDEN`, `ARGUMENT_INVALID`,
 *   `SETTINGS_INVALID`, `LOGIN_REJECTED` and the other codes in docs/errors.md.
 *
 * Source: `GET /projects/{projectId}`; for a name, `GET /projects` first.
 *
 * @example
 * const shop = await getProject({ name: "shop" });
 * const webroot = shop.environments[0]?.webroot;
 */
export async function getProject<C extends boolean = true>(
  args: GetProjectArgs<C>,
  opts: ReadOptions = {},
): Promise<GetProjectResult<C>> {
  return readPromise(projectFunction, args, opts) as Promise<GetProjectResult<C>>;
}

/**
 * Like {@link getProject}, with Inputs as arguments and an Output as result.
 *
 * If an argument is unknown, or a preview has not created a resource in `dependsOn` yet, the result
 * is unknown and no request is sent. A secret argument makes the whole result secret.
 *
 * @example
 * const shop = getProjectOutput({ name: "shop" });
 * export const webroot = shop.environments[0].webroot;
 */
export function getProjectOutput<C extends boolean = true>(
  args: GetProjectOutputArgs<C>,
  opts: ReadOutputOptions = {},
): pulumi.Output<GetProjectResult<C>> {
  return readOutput(projectFunction, args, opts) as pulumi.Output<GetProjectResult<C>>;
}

type AnyArgs = ProjectKey & { includeCredentials?: boolean };

const projectFunction: ReadFunction<AnyArgs, Project | ProjectWithCredentials> = {
  name: "getProject",
  check: checkProjectArguments,
  read: readProject,
};

/**
 * Reads a project, after the arguments were checked and the settings resolved.
 *
 * @internal
 */
export async function readProject(
  { includeCredentials = true, ...key }: AnyArgs,
  settings: Settings,
  isSecret: boolean,
): Promise<Project | ProjectWithCredentials> {
  const service = await loadProjectService(settings);
  const { withoutCredentials } = await import("../provider/wire/mapping.js");
  return includeCredentials
    ? service.readProject({ ...key, isSecret }, secretCredentials)
    : service.readProject({ ...key, isSecret }, withoutCredentials);
}
