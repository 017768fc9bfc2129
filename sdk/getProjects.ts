import type * as pulumi from "@pulumi/pulumi";
import type { InaccessibleProject, ProjectSummary } from "../provider/model/project.js";
import {
  type ProjectFilter,
  type ProjectFilterKey,
  type ProjectListKey,
  type ProjectSort,
  type ProjectSortKey,
  sortProjects,
} from "../provider/model/selection.js";
import type { Settings } from "../provider/settings/resolveSettings.js";
import type { Literal } from "./reading/credentialTypes.js";
import type { GetProjectResult } from "./getProject.js";
import { checkProjectsArguments } from "./reading/checkArguments.js";
import {
  loadProjectService,
  noMatchListener,
  progressListener,
  type ReadFunction,
  readOutput,
  readPromise,
} from "./reading/runRead.js";
import { secretCredentials } from "./reading/secretCredentials.js";
import type { ReadOptions, ReadOutputOptions } from "./reading/readOptions.js";

/** The options by which projects are selected, sorted and read. `D` stands for `details`. */
interface Selection<D extends boolean, C extends boolean, F> {
  /**
   * Whether each project is read in the full form. A literal. Default false: the list form, which
   * needs no request for each project.
   */
  details?: D & Literal<D>;
  /**
   * A project must match every filter. Filters by fields of the list form are applied first, so that
   * other projects are not read. Default: all projects.
   */
  filters?: F[];
  /** Sorts by the first, equal projects by the second, and so on. Default: the service's order. */
  sorts?: ProjectSort<D extends true ? ProjectSortKey : ProjectListKey>[];
  /**
   * Only with `details`: whether the projects have credentials: `username`, `password` and
   * `importRepository`. A literal. Default true.
   */
  includeCredentials?: D extends true ? C & Literal<C> : NeedsDetails;
  /**
   * Only with `details`: whether the call fails if the service denies access to a listed project
   * (403) or cannot find it (404), or skips the project and names it in `inaccessible`.
   * Default `"fail"`.
   */
  onInaccessible?: D extends true ? "fail" | "skip" : NeedsDetails;
}

/** The compiler prints this name where an option needs `details: true`. */
interface NeedsDetails {
  readonly "needs details: true": never;
}

type FilterKey<D extends boolean> = D extends true ? ProjectFilterKey : ProjectListKey;

/** Like {@link ProjectFilter}, with Inputs as values. */
export type ProjectFilterInputs<K extends ProjectFilterKey = ProjectFilterKey> = Omit<
  ProjectFilter<K>,
  "values"
> & { values: pulumi.Input<pulumi.Input<string | number | boolean>[]> };

/** Arguments of {@link getProjects}. `D` stands for `details`, `C` for `includeCredentials`. */
export type GetProjectsArgs<D extends boolean = false, C extends boolean = true> = Selection<
  D,
  C,
  ProjectFilter<FilterKey<D>>
>;

/** Arguments of {@link getProjectsOutput}. `D` stands for `details`, `C` for `includeCredentials`. */
export type GetProjectsOutputArgs<D extends boolean = false, C extends boolean = true> = Selection<
  D,
  C,
  ProjectFilterInputs<FilterKey<D>>
>;

/** Projects in the list form, in which nothing is secret, or with `details` in the full form. */
export type GetProjectsResult<D extends boolean = false, C extends boolean = true> = D extends true
  ? GetProjectsDetailsResult<C>
  : { projects: ProjectSummary[] };

/** Projects in the full form. */
export interface GetProjectsDetailsResult<C extends boolean = true> {
  /** The projects, in the order of `sorts`, or else of the service. */
  projects: GetProjectResult<C>[];
  /** The listed projects that could not be read. Empty unless `onInaccessible` is `"skip"`. */
  inaccessible: InaccessibleProject[];
}

/**
 * Lists all projects to which the user has access, in the list form or, with `details`, in the full
 * form.
 *
 * If filters leave no project, because a value to match exactly occurs in none, Pulumi shows a warning with
 * the most similar value that occurs. Values of secret filters are not shown.
 *
 * @param args `filters`, default none; `sorts`, default the service's order; `details`, default
 *   false. With `details` also `includeCredentials`, default true, and `onInaccessible`, default
 *   `"fail"`.
 * @param opts `connection`, default the config namespace `project-service`.
 * @returns `projects`: all of them; a list that cannot be read completely is an error. Nothing in the
 *   list form is secret. The full form has the secrets of {@link getProject}, and `inaccessible`.
 * @throws ProjectServiceError `LIST_INCOMPLETE` (the list cannot be read completely), `FORBIDDEN` and
 *   `NOT_FOUND` (a listed project cannot be read; the message says how many), `ARGUMENT_INVALID`,
 *   `SETTINGS_INVALID`, `LOGIN_REJECTED` and the other codes in docs/errors.md.
 *
 * Source: all pages of `GET /projects`; with `details`, `GET /projects/{projectId}` for each.
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
export async function getProjects<D extends boolean = false, C extends boolean = true>(
  args: GetProjectsArgs<D, C> = {},
  opts: ReadOptions = {},
): Promise<GetProjectsResult<D, C>> {
  return readPromise(projectsFunction, args, opts) as Promise<GetProjectsResult<D, C>>;
}

/**
 * Like {@link getProjects}, with Inputs as values of filters and an Output as result.
 *
 * @example
 * export const count = getProjectsOutput().projects.length;
 */
export function getProjectsOutput<D extends boolean = false, C extends boolean = true>(
  args: GetProjectsOutputArgs<D, C> = {},
  opts: ReadOutputOptions = {},
): pulumi.Output<GetProjectsResult<D, C>> {
  return readOutput(projectsFunction, args, opts) as pulumi.Output<GetProjectsResult<D, C>>;
}

/** The arguments, after they were checked. */
interface AnyArgs {
  details?: boolean;
  filters?: ProjectFilter[];
  sorts?: ProjectSort[];
  includeCredentials?: boolean;
  onInaccessible?: "fail" | "skip";
}

const projectsFunction: ReadFunction<AnyArgs, { projects: ProjectSummary[] }> = {
  name: "getProjects",
  check: checkProjectsArguments,
  read: readProjects,
};

async function readProjects(
  {
    details = false,
    filters = [],
    sorts = [],
    includeCredentials = true,
    onInaccessible = "fail",
  }: AnyArgs,
  settings: Settings,
  isSecret: boolean,
): Promise<{ projects: ProjectSummary[]; inaccessible?: InaccessibleProject[] }> {
  const service = await loadProjectService(settings);
  const onNoMatch = noMatchListener("getProjects", isSecret);
  if (!details) {
    const listFilters = filters as ProjectFilter<ProjectListKey>[];
    const projects = await service.listProjects(listFilters, onNoMatch);
    return { projects: sortProjects(projects, sorts) };
  }
  const { withoutCredentials } = await import("../provider/wire/mapping.js");
  const options = { onInaccessible, onProgress: await progressListener(), onNoMatch };
  const { projects, inaccessible } = includeCredentials
    ? await service.readProjects(filters, secretCredentials, options)
    : await service.readProjects(filters, withoutCredentials, options);
  return { projects: sortProjects<ProjectSummary>(projects, sorts), inaccessible };
}
