import * as pulumi from "@pulumi/pulumi";
import { displayShare } from "../provider/errors/displayText.js";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";
import type { InaccessibleProject, ProjectSummary } from "../provider/model/project.js";
import {
  appliesToListForm,
  type ProjectFilter,
  type ProjectFilterKey,
  type ProjectListKey,
} from "../provider/model/projectFilter.js";
import type { ProjectService } from "../provider/reading/projectService.js";
import type { GetProjectResult } from "./getProject.js";
import { type Caller, checkShape } from "./reading/checkArguments.js";
import type { CredentialsArgs, ReadOptions, ReadOutputOptions } from "./reading/publicTypes.js";
import { callOf } from "./reading/programErrors.js";
import { readOutput, readPromise, showReadProgress } from "./reading/runRead.js";
import { credentialMapper } from "./reading/secretCredentials.js";

/** Like {@link ProjectFilter}, with Inputs as values. */
export type ProjectFilterInputs<K extends ProjectFilterKey = ProjectFilterKey> = Omit<
  ProjectFilter<K>,
  "values"
> & { values: pulumi.Input<pulumi.Input<string | number | boolean>[]> };

/** Arguments of {@link getProjects} for the list form. */
export interface GetProjectsArgs {
  /** The list form, which needs no request for each project. */
  details?: false | undefined;
  /** A project must match every filter. Default: all projects. */
  filters?: ProjectFilter<ProjectListKey>[] | undefined;
}

/** Arguments of {@link getProjectsOutput} for the list form. */
export interface GetProjectsOutputArgs extends Omit<GetProjectsArgs, "filters"> {
  /** As in {@link GetProjectsArgs}. */
  filters?: ProjectFilterInputs<ProjectListKey>[] | undefined;
}

/** Arguments of {@link getProjects} for the full form. `C` is the value of `includeCredentials`. */
export interface GetProjectsDetailsArgs<C extends boolean = true> extends CredentialsArgs<C> {
  /** The full form: each project is read. A literal. */
  details: true;
  /** Filters by fields of the list form are applied first. Other projects are then not read. */
  filters?: ProjectFilter[] | undefined;
  /**
   * Whether a listed project that cannot be read (403, 404, or fields that break the contract) fails the call, or is
   * added to `inaccessible`. With `"skip"`, Pulumi deletes the resources that the program created for such a project.
   * Default `"fail"`.
   */
  onInaccessible?: "fail" | "skip" | undefined;
}

/** Arguments of {@link getProjectsOutput} for the full form. */
export interface GetProjectsDetailsOutputArgs<C extends boolean = true> extends Omit<
  GetProjectsDetailsArgs<C>,
  "filters"
> {
  /** As in {@link GetProjectsDetailsArgs}. */
  filters?: ProjectFilterInputs[] | undefined;
}

/** Projects in the list form, in which nothing is secret. */
export interface GetProjectsResult {
  /** The projects, in the order of the service. */
  projects: ProjectSummary[];
}

/** Projects in the full form. */
export interface GetProjectsDetailsResult<C extends boolean = true> {
  /** The projects, in the order of the service, with their credentials unless `C` is false. */
  projects: GetProjectResult<C>[];
  /** The listed projects that could not be read. Empty unless `onInaccessible` is `"skip"`. */
  inaccessible: InaccessibleProject[];
}

/**
 * Lists all projects to which the user has access, in the list form or, with `details`, in the full form. If filters
 * leave no project, Pulumi shows a warning.
 *
 * @param args `filters`, default none; `details`, default false. With `details` also `includeCredentials`, default true,
 *   and `onInaccessible`, default `"fail"`.
 * @param opts `connection`, default the config namespace `project-service`.
 * @returns `projects`. Nothing in the list form is secret. The full form has the secrets of {@link getProject},
 *   and `inaccessible`.
 * @throws ProjectServiceError `ARGUMENT_INVALID` (also for a value of a filter that differs only in case from one that
 *   exists), `LIST_INCOMPLETE` (the service announces more projects than it lists), `FORBIDDEN`, `RESPONSE_INVALID`, with
 *   `details` also `NOT_FOUND` (a listed project cannot be read), and the codes of settings, sign-in and connection in
 *   docs/reference.md.
 *
 * Source: all pages of `GET /projects`; with `details`, `GET /projects/{projectId}` for each.
 *
 * @example
 * const { projects } = await getProjects();
 * const names = projects.map((project) => project.name).sort();
 *
 * @example
 * const { projects } = await getProjects({
 *   details: true,
 *   filters: [{ key: "environments.databases.databaseType", values: ["MYSQL"] }],
 * });
 */
export function getProjects(args?: GetProjectsArgs, opts?: ReadOptions): Promise<GetProjectsResult>;
/** Reads all projects in the full form. */
export function getProjects<C extends boolean = true>(
  args: GetProjectsDetailsArgs<C>,
  opts?: ReadOptions,
): Promise<GetProjectsDetailsResult<C>>;
export function getProjects(args?: object, opts?: ReadOptions): unknown {
  return readPromise(callOf(getProjects), projectsFunction, args, opts);
}

/** Like {@link getProjects}, with Inputs as values of filters and an Output as result. */
export function getProjectsOutput(
  args?: GetProjectsOutputArgs,
  opts?: ReadOutputOptions,
): pulumi.Output<GetProjectsResult>;
/** Reads all projects in the full form. */
export function getProjectsOutput<C extends boolean = true>(
  args: GetProjectsDetailsOutputArgs<C>,
  opts?: ReadOutputOptions,
): pulumi.Output<GetProjectsDetailsResult<C>>;
export function getProjectsOutput(args?: object, opts?: ReadOutputOptions): unknown {
  return readOutput(callOf(getProjectsOutput), projectsFunction, args, opts);
}

/** The arguments, after they were checked. */
type AnyArgs = Omit<GetProjectsDetailsArgs, "details" | "includeCredentials"> & {
  details?: boolean;
  includeCredentials?: boolean;
};

const projectsFunction = {
  name: "getProjects",
  check: checkProjectsArguments,
  read: readProjects,
};

function checkProjectsArguments(caller: Caller, args: object): void {
  checkShape(caller, "isGetProjects", args);
  const { details, filters = [], includeCredentials, onInaccessible } = args as AnyArgs;
  if (details === true) return;
  const needing = filters.flatMap((filter) =>
    appliesToListForm(filter) ? [] : [`filter by ${filter.key}`],
  );
  if (onInaccessible !== undefined) needing.unshift("use onInaccessible");
  if (includeCredentials !== undefined) needing.unshift("use includeCredentials");
  if (needing.length === 0) return;
  throw argumentInvalid(`To ${needing[0]}, call ${caller.name} with details: true.`);
}

const skipAdvice =
  'To leave such projects out, pass onInaccessible: "skip". Pulumi then deletes the resources that this program created for them.';

async function readProjects(
  { details, filters = [], includeCredentials = true, onInaccessible = "fail" }: AnyArgs,
  service: ProjectService,
): Promise<GetProjectsResult> {
  const emptiness =
    filters.length > 0
      ? "No project matches the filters."
      : "The user in the setting username has access to no project.";
  if (details !== true) {
    const projects = await service.listProjects(filters);
    if (projects.length === 0) warn(emptiness);
    return { projects };
  }
  const mapper = credentialMapper(includeCredentials, service.hasSecretArguments);
  const { projects, inaccessible, selected } = await showReadProgress((onProgress) =>
    service.readProjects(filters, mapper, { onInaccessible, onProgress, advice: skipAdvice }),
  );
  if (inaccessible.length > 0) {
    const list = inaccessible.map(({ projectId, code }) => `${projectId} (${code})`);
    const share = displayShare(list.length, selected, "project");
    warn(
      `Left out ${share}${service.namesAfterColon(list)}. Pulumi deletes the resources that this program created for them. To keep these, use a ProjectsSnapshot, or remove onInaccessible: "skip".`,
    );
  } else if (projects.length === 0) warn(emptiness);
  return { projects, inaccessible } as GetProjectsDetailsResult<false>;
}

function warn(message: string): void {
  void pulumi.log.warn(`getProjects: ${message}`);
}
