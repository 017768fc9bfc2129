import type * as pulumi from "@pulumi/pulumi";
import { displayList, displayText } from "../provider/errors/displayText.js";
import {
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../provider/errors/projectServiceError.js";
import type { Environment } from "../provider/model/project.js";
import type { ProjectService } from "../provider/service/projectService.js";
import { type ProjectKey, type ProjectOutputKey, readProject } from "./getProject.js";
import { checkProjectArguments } from "./reading/checkArguments.js";
import type {
  CredentialsArgs,
  DatabaseFor,
  ReadOptions,
  ReadOutputOptions,
} from "./reading/publicTypes.js";
import { readOutput, readPromise } from "./reading/runRead.js";

/** Arguments of {@link getEnvironment}. */
export type GetEnvironmentArgs<C extends boolean = true> = ProjectKey & {
  environmentId: string;
} & CredentialsArgs<C>;

/** Arguments of {@link getEnvironmentOutput}. */
export type GetEnvironmentOutputArgs<C extends boolean = true> = ProjectOutputKey & {
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
  return readPromise(environmentFunction, args, opts) as Promise<GetEnvironmentResult<C>>;
}

/** Like {@link getEnvironment}, with Inputs as arguments and an Output as result. */
export function getEnvironmentOutput<C extends boolean = true>(
  args: GetEnvironmentOutputArgs<C>,
  opts?: ReadOutputOptions,
): pulumi.Output<GetEnvironmentResult<C>> {
  return readOutput(environmentFunction, args, opts) as pulumi.Output<GetEnvironmentResult<C>>;
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
  isSecret: boolean,
): Promise<GetEnvironmentResult<false>> {
  const project = await readProject(args, service, isSecret);
  const { projectId, name: projectName, environments, missingFields } = project;
  const text = `Project ${displayText(projectId)} (${displayText(projectName)})`;
  const owner = { kind: "project", text, projectId, missingFields, isSecret } as const;
  const idOf = (environment: Environment) => environment.environmentId;
  const environment = selectPart(owner, "environment", environments, idOf, environmentId);
  return { ...environment, projectId, projectName };
}

/** A project or an environment, for the message about its parts. */
interface Owner {
  readonly kind: "project" | "environment";
  /** How the message starts: `Project p-1 (shop)`. */
  readonly text: string;
  readonly projectId: string;
  readonly missingFields: readonly string[];
  /** Whether an error may name neither the owner nor its parts. */
  readonly isSecret: boolean;
}

/**
 * Returns the part with a name. Without a name, returns the only part.
 *
 * @internal
 */
export function selectPart<P>(
  { kind, text, projectId, missingFields, isSecret }: Owner,
  partKind: "environment" | "database",
  parts: readonly P[],
  nameOf: (part: P) => string,
  name: string | undefined,
): P {
  const named = name === undefined ? parts : parts.filter((part) => nameOf(part) === name);
  const [first] = named;
  if (first !== undefined && named.length === 1) return first;

  const existing = displayList(parts.map(nameOf));
  const failure = (code: ProjectServiceErrorCode, problem: string) => {
    const place = isSecret ? `The ${kind}` : text;
    return new ProjectServiceError(code, `${place} ${problem}.`, isSecret ? {} : { projectId });
  };
  if (missingFields.includes(`${partKind}s`)) {
    throw failure("RESPONSE_INVALID", `may have ${partKind}s, but the service omits them`);
  }
  if (parts.length === 0) throw failure("NOT_FOUND", `has no ${partKind}s`);
  if (name === undefined) {
    const advice = `Set ${partKind}Name to one of them${isSecret ? "" : `: ${existing}`}`;
    throw failure("ARGUMENT_INVALID", `has ${parts.length} ${partKind}s. ${advice}`);
  }
  if (named.length > 1) {
    const advice = "Use getEnvironment and select one by associationId";
    throw failure("AMBIGUOUS_NAME", `has several ${partKind}s with that name. ${advice}`);
  }
  if (isSecret) throw failure("NOT_FOUND", `has no such ${partKind}`);
  const others = `Its ${partKind}s are ${existing}`;
  throw failure("NOT_FOUND", `has no ${partKind} "${displayText(name)}". ${others}`);
}
