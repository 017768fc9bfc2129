import type * as pulumi from "@pulumi/pulumi";
import type { Project } from "../provider/model/project.js";
import type { Settings } from "../provider/settings/resolveSettings.js";
import { checkProjectArguments } from "./reading/checkArguments.js";
import type {
  ProjectWithCredentials,
  WithCredentials,
  WithoutCredentials,
} from "./reading/credentialTypes.js";
import type { ReadOptions, ReadOutputOptions } from "./reading/readOptions.js";
import { loadProjectService, readOutput, readPromise } from "./reading/runRead.js";
import { credentialMapper } from "./reading/secretCredentials.js";

/** Names a project: by its id, or by its name if only one project has that name. */
export type ProjectKey =
  { projectId: string; name?: undefined } | { name: string; projectId?: undefined };

/** Like {@link ProjectKey}, with Inputs. */
export type ProjectOutputKey =
  | { projectId: pulumi.Input<string>; name?: undefined }
  | { name: pulumi.Input<string>; projectId?: undefined };

/** Arguments of {@link getProject}. */
export type GetProjectArgs<C = WithCredentials> = ProjectKey & C;

/** Arguments of {@link getProjectOutput}. */
export type GetProjectOutputArgs<C = WithCredentials> = ProjectOutputKey & C;

/** A project with its credentials. */
export type GetProjectResult = ProjectWithCredentials;

/** Reads one project without its credentials. */
export function getProject(
  args: GetProjectArgs<WithoutCredentials>,
  opts?: ReadOptions,
): Promise<Project>;
/**
 * Reads one project.
 *
 * @param args exactly one of `projectId` and `name`; `includeCredentials`, default true.
 * @param opts `connection`, default the config namespace `project-service`.
 * @returns the project. `codeRepository.importRepository` is a secret Output, and so are `username`
 *   and `password` in `environments[].databases[]`. All other fields are plain values.
 * @throws ProjectServiceError `NOT_FOUND` (no such project; for a name, the message names similar ones),
 *   `AMBIGUOUS_NAME` (the message lists the ids), `RESPONSE_INVALID` (the user is not shown
 *   credentials, among others), `FORBIDDEN`, `ARGUMENT_INVALID`, `SETTINGS_INVALID`, `LOGIN_REJECTED`
 *   and the other codes in docs/reference.md.
 *
 * Source: `GET /projects/{projectId}`; for a name, `GET /projects` first.
 *
 * @example
 * const shop = await getProject({ name: "shop" });
 * const webroot = shop.environments[0]?.webroot;
 */
export function getProject(args: GetProjectArgs, opts?: ReadOptions): Promise<GetProjectResult>;
export function getProject(args: object, opts?: ReadOptions): unknown {
  return readPromise(projectFunction, args, opts);
}

/** Like {@link getProjectOutput}, without credentials. */
export function getProjectOutput(
  args: GetProjectOutputArgs<WithoutCredentials>,
  opts?: ReadOutputOptions,
): pulumi.Output<Project>;
/**
 * Like {@link getProject}, with Inputs as arguments and an Output as result. If an argument is unknown, or a
 * preview has not created a resource in `dependsOn` yet, the result is unknown and no request is sent. A
 * secret argument makes the whole result secret.
 */
export function getProjectOutput(
  args: GetProjectOutputArgs,
  opts?: ReadOutputOptions,
): pulumi.Output<GetProjectResult>;
export function getProjectOutput(args: object, opts?: ReadOutputOptions): unknown {
  return readOutput(projectFunction, args, opts);
}

const projectFunction = { name: "getProject", check: checkProjectArguments, read: readProject };

/** @internal */
export async function readProject(
  { includeCredentials = true, ...key }: ProjectKey & { includeCredentials?: boolean },
  settings: Settings,
  isSecret: boolean,
): Promise<Project> {
  const service = await loadProjectService(settings);
  const mapper = await credentialMapper(includeCredentials, isSecret);
  return service.readProject({ ...key, isSecret }, mapper);
}
