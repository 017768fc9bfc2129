import type * as pulumi from "@pulumi/pulumi";
import type { Project, ProjectKey } from "../provider/model/project.js";
import type { ProjectService } from "../provider/reading/projectService.js";
import { checkProjectArguments } from "./reading/checkArguments.js";
import type {
  CredentialsArgs,
  ProjectWithCredentials,
  ReadOptions,
  ReadOutputOptions,
} from "./reading/publicTypes.js";
import { callOf } from "./reading/programErrors.js";
import { readOutput, readPromise } from "./reading/runRead.js";
import { credentialMapper } from "./reading/secretCredentials.js";

/** Like {@link ProjectKey}, with Inputs. */
export type ProjectKeyInputs =
  | { projectId: pulumi.Input<string>; name?: undefined }
  | { name: pulumi.Input<string>; projectId?: undefined };

/** Arguments of {@link getProject}. */
export type GetProjectArgs<C extends boolean = true> = ProjectKey & CredentialsArgs<C>;

/** Arguments of {@link getProjectOutput}. */
export type GetProjectOutputArgs<C extends boolean = true> = ProjectKeyInputs & CredentialsArgs<C>;

/** A project, with its credentials unless `C` is false. */
export type GetProjectResult<C extends boolean = true> = C extends false
  ? Project
  : ProjectWithCredentials;

/**
 * Reads one project.
 *
 * @param args exactly one of `projectId` and `name`; `includeCredentials`, default true.
 * @param opts `connection`, default the config namespace `project-service`.
 * @returns the project. `codeRepository.importRepository` is a secret Output, and so are `username`
 *   and `password` in `environments[].databases[]`. All other fields are plain values.
 * @throws ProjectServiceError `NOT_FOUND`, `AMBIGUOUS_NAME`, `FORBIDDEN`,
 *   `RESPONSE_INVALID` (also if this user is not shown credentials) and the other codes in docs/reference.md.
 *
 * Source: `GET /projects/{projectId}`; for a name, `GET /projects` first.
 *
 * @example
 * const shop = await getProject({ name: "shop" });
 * const webroot = shop.environments[0]?.webroot;
 */
export function getProject<C extends boolean = true>(
  args: GetProjectArgs<C>,
  opts?: ReadOptions,
): Promise<GetProjectResult<C>> {
  return readPromise(callOf(getProject), projectFunction, args, opts) as Promise<
    GetProjectResult<C>
  >;
}

/**
 * Like {@link getProject}, with Inputs as arguments and an Output as result. If an argument is unknown in a
 * preview, the result is unknown and no request is sent. A secret argument makes the whole result secret.
 */
export function getProjectOutput<C extends boolean = true>(
  args: GetProjectOutputArgs<C>,
  opts?: ReadOutputOptions,
): pulumi.Output<GetProjectResult<C>> {
  return readOutput(callOf(getProjectOutput), projectFunction, args, opts) as pulumi.Output<
    GetProjectResult<C>
  >;
}

const projectFunction = {
  name: "getProject",
  check: checkProjectArguments("isGetProject"),
  read: readProject,
};

/** @internal */
export function readProject(
  { includeCredentials = true, ...key }: ProjectKey & { includeCredentials?: boolean },
  service: ProjectService,
): Promise<Project> {
  const mapper = credentialMapper(includeCredentials, service.hasSecretArguments);
  return service.readProject(key, mapper);
}
