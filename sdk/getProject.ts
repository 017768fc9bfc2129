import type * as pulumi from "@pulumi/pulumi";
import type { CodeRepository, Database, Project } from "../provider/project.js";
import type { Settings } from "../provider/resolveSettings.js";
import { checkProjectArguments } from "./checkArguments.js";
import type { CodeRepositoryWithImport, DatabaseWithCredentials } from "./credentials.js";
import { openService } from "./openService.js";
import {
  type ReadFunction,
  readOutput,
  type ReadOptions,
  type ReadOutputOptions,
  readPromise,
} from "./readOptions.js";
import { sealed, withoutCredentials } from "./seal.js";

/** Names a project: by its id, or by its name if only one project has it. */
export type ProjectKey =
  { projectId: string; name?: undefined } | { name: string; projectId?: undefined };

/** As {@link ProjectKey}, of Inputs. */
export type ProjectOutputKey =
  | { projectId: pulumi.Input<string>; name?: undefined }
  | { name: pulumi.Input<string>; projectId?: undefined };

/** Arguments of {@link getProject}. */
export type GetProjectArgs = ProjectKey & CredentialsIncluded;

/** Arguments of {@link getProjectOutput}. */
export type GetProjectOutputArgs = ProjectOutputKey & CredentialsIncluded;

export interface CredentialsIncluded {
  /** Whether the result has credentials. A literal, for it decides the result's type. Default true. */
  includeCredentials?: true;
}

export interface CredentialsLeftOut {
  /** Leaves `username`, `password` and `importRepository` out of the result. */
  includeCredentials: false;
}

/** A project with credentials: `databases[].username`, `.password` and `importRepository` are secret. */
export type GetProjectResult = Project<CodeRepositoryWithImport, DatabaseWithCredentials>;

/** A project without `username`, `password` and `importRepository`. */
export type GetProjectWithoutCredentialsResult = Project<CodeRepository, Database>;

/**
 * Reads one project.
 *
 * @param args exactly one of `projectId` and `name`; `includeCredentials`, default true.
 * @param opts `connection`, default the config namespace `project-service`.
 * @returns the project; of it, `codeRepository.importRepository` and, in
 *   `environments[].databases[]`, `username` and `password` are secret Outputs, the rest is plain.
 * @throws ProjectServiceError `NOT_FOUND` (no such project; for a name, with those there are),
 *   `AMBIGUOUS_NAME` (with the ids), `FORBIDDEN`, `ARGUMENT_INVALID`, `SETTINGS_INVALID`,
 *   `LOGIN_REJECTED` and the others of the README's table.
 *
 * Source: `GET /projects/{projectId}`; for a name, after `GET /projects`.
 *
 * @example
 * const shop = await getProject({ name: "shop" });
 * const webroot = shop.environments[0]?.webroot;
 */
export function getProject(
  args: ProjectKey & CredentialsLeftOut,
  opts?: ReadOptions,
): Promise<GetProjectWithoutCredentialsResult>;
export function getProject(args: GetProjectArgs, opts?: ReadOptions): Promise<GetProjectResult>;
export async function getProject(args: AnyArgs, opts: ReadOptions = {}): Promise<AnyResult> {
  return readPromise(projectRead, args, opts);
}

/**
 * As {@link getProject}, with Inputs for arguments and an Output for result.
 *
 * Unknown arguments, or a `dependsOn` that a preview has yet to create, give an unknown result and
 * no request. A secret argument makes the whole result secret.
 *
 * @example
 * const shop = getProjectOutput({ name: "shop" });
 * export const webroot = shop.environments[0].webroot;
 */
export function getProjectOutput(
  args: ProjectOutputKey & CredentialsLeftOut,
  opts?: ReadOutputOptions,
): pulumi.Output<GetProjectWithoutCredentialsResult>;
export function getProjectOutput(
  args: GetProjectOutputArgs,
  opts?: ReadOutputOptions,
): pulumi.Output<GetProjectResult>;
export function getProjectOutput(
  args: GetProjectOutputArgs | (ProjectOutputKey & CredentialsLeftOut),
  opts: ReadOutputOptions = {},
): pulumi.Output<AnyResult> {
  return readOutput(projectRead, args, opts);
}

type AnyArgs = GetProjectArgs | (ProjectKey & CredentialsLeftOut);
type AnyResult = GetProjectResult | GetProjectWithoutCredentialsResult;

const projectRead: ReadFunction<AnyArgs, AnyResult> = {
  name: "getProject",
  check: checkProjectArguments,
  read: readProject,
};

/**
 * Reads a project with arguments that are known and settings that are resolved.
 *
 * @internal
 */
export async function readProject(args: AnyArgs, settings: Settings): Promise<AnyResult> {
  const service = await openService(settings);
  return args.includeCredentials === false
    ? service.readProject(args, withoutCredentials)
    : service.readProject(args, sealed);
}
