import type * as pulumi from "@pulumi/pulumi";
import type { ProjectSummary } from "../provider/project.js";
import type { Settings } from "../provider/settings.js";
import { checkKeys } from "./checkArguments.js";
import { openService } from "./openService.js";
import { readOutput, type ReadOptions, type ReadOutputOptions, settingsOf } from "./readOptions.js";

/** Arguments of {@link getProjects}: none yet. */
export type GetProjectsArgs = Record<string, never>;

/** Arguments of {@link getProjectsOutput}: none yet. */
export type GetProjectsOutputArgs = Record<string, never>;

export interface GetProjectsResult {
  /** In the order of the service. Nothing in it is secret. */
  projects: ProjectSummary[];
}

/**
 * Lists all projects that the user has access to, in list form.
 *
 * @param args none yet.
 * @param opts `connection`, default the config namespace `project-service`.
 * @returns `projects`, complete or not at all; nothing in it is secret.
 * @throws ProjectServiceError `LIST_INCOMPLETE` (the list cannot be read to its end), `FORBIDDEN`,
 *   `SETTINGS_INVALID`, `LOGIN_REJECTED` and the others of the README's table.
 *
 * Source: `GET /projects`, all its pages.
 *
 * @example
 * const { projects } = await getProjects();
 * const names = projects.map((project) => project.name);
 */
export async function getProjects(
  args: GetProjectsArgs = {},
  opts: ReadOptions = {},
): Promise<GetProjectsResult> {
  checkKeys("The arguments of getProjects", args, []);
  return listProjects(args, settingsOf(opts));
}

/**
 * As {@link getProjects}, with an Output for result.
 *
 * @example
 * export const count = getProjectsOutput().projects.length;
 */
export function getProjectsOutput(
  args: GetProjectsOutputArgs = {},
  opts: ReadOutputOptions = {},
): pulumi.Output<GetProjectsResult> {
  checkKeys("The arguments of getProjectsOutput", args, []);
  return readOutput(args, opts, listProjects);
}

async function listProjects(
  _args: GetProjectsArgs,
  settings: Settings,
): Promise<GetProjectsResult> {
  const service = await openService(settings);
  return { projects: await service.listProjects() };
}
