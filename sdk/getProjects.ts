import type * as pulumi from "@pulumi/pulumi";
import type { InaccessibleProject, ProjectSummary } from "../provider/project.js";
import type { Settings } from "../provider/resolveSettings.js";
import type { ProjectFilter } from "../provider/projectFilter.js";
import type { ProjectFilterKey, ProjectListKey } from "../provider/projectKeys.js";
import { type ProjectSort, sorted } from "../provider/projectSort.js";
import { checkProjectsArguments } from "./checkProjectsArguments.js";
import type {
  CredentialsIncluded,
  CredentialsLeftOut,
  GetProjectResult,
  GetProjectWithoutCredentialsResult,
} from "./getProject.js";
import { openService } from "./openService.js";
import { progressLine } from "./progressLine.js";
import {
  type ReadFunction,
  readOutput,
  type ReadOptions,
  type ReadOutputOptions,
  readPromise,
} from "./readOptions.js";
import { sealed, withoutCredentials } from "./seal.js";

/** What is wanted of the projects, and in what order. */
interface Selection<F, S> {
  /**
   * Which projects are wanted: those that pass every filter. Filters by facts of the list form come
   * first, and what does not pass them is not read.
   */
  filters?: F[];
  /** By the first, where that makes no difference by the second, and so on; else as listed. */
  sorts?: S[];
}

/** As {@link ProjectFilter}, with Inputs for values. */
export type ProjectFilterInputs<K extends ProjectFilterKey = ProjectFilterKey> = Omit<
  ProjectFilter<K>,
  "values"
> & { values: pulumi.Input<pulumi.Input<string | number | boolean>[]> };

export interface DetailsLeftOut {
  /** Whether each project is read in full. A literal, for it decides the result's type. Default false. */
  details?: false;
}

export interface DetailsIncluded {
  /** Reads each project in full. */
  details: true;
  /**
   * What becomes of a project that is listed and cannot be read, for the service answers 403 or 404:
   * it fails the call, or is named in `inaccessible`. Default `"fail"`.
   */
  onInaccessible?: "fail" | "skip";
}

/** Arguments of {@link getProjects} for the list form. */
export type GetProjectsArgs = DetailsLeftOut &
  Selection<ProjectFilter<ProjectListKey>, ProjectSort<ProjectListKey>>;

/** Arguments of {@link getProjectsOutput} for the list form. */
export type GetProjectsOutputArgs = DetailsLeftOut &
  Selection<ProjectFilterInputs<ProjectListKey>, ProjectSort<ProjectListKey>>;

type InFull = DetailsIncluded & Selection<ProjectFilter, ProjectSort>;
type InFullOutput = DetailsIncluded & Selection<ProjectFilterInputs, ProjectSort>;

/** Arguments of {@link getProjects} for the full form. */
export type GetProjectsDetailsArgs = InFull & CredentialsIncluded;

/** Arguments of {@link getProjectsOutput} for the full form. */
export type GetProjectsDetailsOutputArgs = InFullOutput & CredentialsIncluded;

export interface GetProjectsResult {
  /** In the order of the service. Nothing in it is secret. */
  projects: ProjectSummary[];
}

/** Projects in full; without `username`, `password` and `importRepository` if so asked. */
export interface GetProjectsDetailsResult<
  P extends GetProjectWithoutCredentialsResult = GetProjectResult,
> {
  /** In the order of the service. */
  projects: P[];
  /** Projects that are listed and could not be read; empty unless `onInaccessible` is `"skip"`. */
  inaccessible: InaccessibleProject[];
}

type DetailsWithoutCredentials = GetProjectsDetailsResult<GetProjectWithoutCredentialsResult>;

type AnyArgs = GetProjectsArgs | GetProjectsDetailsArgs | (InFull & CredentialsLeftOut);
type AnyOutputArgs =
  GetProjectsOutputArgs | GetProjectsDetailsOutputArgs | (InFullOutput & CredentialsLeftOut);
type AnyResult = GetProjectsResult | GetProjectsDetailsResult | DetailsWithoutCredentials;

/**
 * Lists all projects that the user has access to; in list form, or with `details` in full.
 *
 * @param args `filters`, default none; `sorts`, default the service's order; `details`, default
 *   false; with it `includeCredentials`, default true, and `onInaccessible`, default `"fail"`.
 * @param opts `connection`, default the config namespace `project-service`.
 * @returns `projects`, complete or not at all; nothing in the list form is secret, of the full form
 *   what is in {@link getProject}'s result. With `details` also `inaccessible`.
 * @throws ProjectServiceError `LIST_INCOMPLETE` (the list cannot be read to its end), `FORBIDDEN`
 *   and `NOT_FOUND` (a listed project cannot be read; with how many could not),
 *   `ARGUMENT_INVALID`, `SETTINGS_INVALID`, `LOGIN_REJECTED` and the others of the README's table.
 *
 * Source: `GET /projects`, all its pages; with `details`, `GET /projects/{projectId}` of each.
 *
 * @example
 * const { projects } = await getProjects();
 * const names = projects.map((project) => project.name);
 *
 * @example
 * const { projects } = await getProjects({
 *   details: true,
 *   filters: [{ key: "environments.databases.databaseType", values: ["MYSQL"] }],
 *   sorts: [{ key: "codeRepository.group" }, { key: "name" }],
 * });
 */
export function getProjects(args?: GetProjectsArgs, opts?: ReadOptions): Promise<GetProjectsResult>;
export function getProjects(
  args: InFull & CredentialsLeftOut,
  opts?: ReadOptions,
): Promise<DetailsWithoutCredentials>;
export function getProjects(
  args: GetProjectsDetailsArgs,
  opts?: ReadOptions,
): Promise<GetProjectsDetailsResult>;
export async function getProjects(args: AnyArgs = {}, opts: ReadOptions = {}): Promise<AnyResult> {
  return readPromise(projectsRead, args, opts);
}

/**
 * As {@link getProjects}, with Inputs for the values of filters and an Output for result.
 *
 * @example
 * export const count = getProjectsOutput().projects.length;
 */
export function getProjectsOutput(
  args?: GetProjectsOutputArgs,
  opts?: ReadOutputOptions,
): pulumi.Output<GetProjectsResult>;
export function getProjectsOutput(
  args: InFullOutput & CredentialsLeftOut,
  opts?: ReadOutputOptions,
): pulumi.Output<DetailsWithoutCredentials>;
export function getProjectsOutput(
  args: GetProjectsDetailsOutputArgs,
  opts?: ReadOutputOptions,
): pulumi.Output<GetProjectsDetailsResult>;
export function getProjectsOutput(
  args: AnyOutputArgs = {},
  opts: ReadOutputOptions = {},
): pulumi.Output<AnyResult> {
  return readOutput(projectsRead, args, opts);
}

const projectsRead: ReadFunction<AnyArgs, AnyResult> = {
  name: "getProjects",
  check: checkProjectsArguments,
  read: readProjects,
};

async function readProjects(args: AnyArgs, settings: Settings): Promise<AnyResult> {
  const service = await openService(settings);
  if (args.details !== true) {
    const { filters = [], sorts = [] } = args;
    return { projects: sorted(await service.listProjects(filters), sorts) };
  }
  const { filters = [], sorts = [], onInaccessible = "fail" } = args;
  const options = { onInaccessible, onProgress: progressLine() };
  const { projects, inaccessible } =
    args.includeCredentials === false
      ? await service.readProjects(filters, withoutCredentials, options)
      : await service.readProjects(filters, sealed, options);
  return { projects: sorted(projects, sorts), inaccessible };
}
