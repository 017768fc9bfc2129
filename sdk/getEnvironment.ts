import type * as pulumi from "@pulumi/pulumi";
import type { Environment, ProjectKey } from "../provider/model/project.js";
import { selectEnvironment } from "../provider/model/selectPart.js";
import type { ProjectService } from "../provider/reading/projectService.js";
import { type ProjectKeyInputs, readProject } from "./getProject.js";
import { checkProjectArguments } from "./reading/checkArguments.js";
import type {
  CredentialsArgs,
  DatabaseFor,
  ReadOptions,
  ReadOutputOptions,
} from "./reading/publicTypes.js";
import { callOf } from "./reading/programErrors.js";
import { readOutput, readPromise } from "./reading/runRead.js";

/** Arguments of {@link getEnvironment}. */
export type GetEnvironmentArgs<C extends boolean = true> = ProjectKey & {
  environmentId: string;
} & CredentialsArgs<C>;

/** Arguments of {@link getEnvironmentOutput}. */
export type GetEnvironmentOutputArgs<C extends boolean = true> = ProjectKeyInputs & {
  environmentId: pulumi.Input<string>;
} & CredentialsArgs<C>;

/** An environment, with id and name of its project, and with credentials unless `C` is false. */
export type GetEnvironmentResult<C extends boolean = true> = Environment<DatabaseFor<C>> & {
  projectId: string;
  projectName: string;
};

/**
 * Reads one environment of a project.
 *
 * @param args exactly one of `projectId` and `name`; `environmentId`; `includeCredentials`, default true.
 * @param opts `connection`, default the config namespace `project-service`.
 * @returns the environment, with `projectId` and `projectName`. `databases[].username` and
 *   `databases[].password` are secret Outputs. All other fields are plain values.
 * @throws ProjectServiceError `NOT_FOUND` (also for the environment) and the other codes of {@link getProject}.
 *
 * Source: `projectEnvironments[]` of `GET /projects/{projectId}`.
 *
 * @example
 * const live = await getEnvironment({ projectId: "p-1", environmentId: "live" });
 * const password = live.databases[0]?.password;
 */
export function getEnvironment<C extends boolean = true>(
  args: GetEnvironmentArgs<C>,
  opts?: ReadOptions,
): Promise<GetEnvironmentResult<C>> {
  return readPromise(callOf(getEnvironment), environmentFunction, args, opts) as Promise<
    GetEnvironmentResult<C>
  >;
}

/** Like {@link getEnvironment}, with Inputs as arguments and an Output as result. */
export function getEnvironmentOutput<C extends boolean = true>(
  args: GetEnvironmentOutputArgs<C>,
  opts?: ReadOutputOptions,
): pulumi.Output<GetEnvironmentResult<C>> {
  return readOutput(callOf(getEnvironmentOutput), environmentFunction, args, opts) as pulumi.Output<
    GetEnvironmentResult<C>
  >;
}

const environmentFunction = {
  name: "getEnvironment",
  check: checkProjectArguments("isGetEnvironment"),
  read: readEnvironment,
};

/** @internal */
export async function readEnvironment(
  { environmentId, ...args }: ProjectKey & { environmentId: string; includeCredentials?: boolean },
  service: ProjectService,
): Promise<GetEnvironmentResult<false>> {
  return selectEnvironment(await readProject(args, service), environmentId);
}
