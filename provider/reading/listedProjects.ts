/* Selects the listed projects that a call asks for. */
import { didYouMean, displayCount, displayList, displayText } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import type { ProjectSummary } from "../model/project.js";
import { compileFilters, decide, type ProjectFilter } from "../model/projectFilter.js";
import { pulumiSafeJson } from "../wire/pulumiSafeJson.js";

/** Throws ProjectServiceError `RESPONSE_INVALID` if the list has no value for a filter, or one that Pulumi cannot take. */
export function selectListed(
  listed: readonly Readonly<ProjectSummary>[],
  filters: readonly ProjectFilter[],
): readonly Readonly<ProjectSummary>[] {
  const compiled = compileFilters(filters);
  const projects = listed.filter((project) => {
    const decision = decide(project, compiled);
    if (typeof decision === "string") return decision === "selected";
    const { key } = decision.undecidedBy;
    throw new ProjectServiceError(
      "RESPONSE_INVALID",
      `The list omits ${key} of project ${displayText(project.projectId)}, so the filter by ${key} cannot decide. To read the whole project, pass details: true.`,
    );
  });
  for (const project of projects) checkUsable(project);
  return projects;
}

/** Throws ProjectServiceError `NOT_FOUND`, `AMBIGUOUS_NAME`. */
export function findByName(name: string, projects: readonly ProjectSummary[]): ProjectSummary {
  const [match, ...others] = projects.filter((project) => project.name === name);
  const named = `named "${displayText(name)}"`;
  if (match === undefined) {
    const names = projects.map((project) => project.name);
    const known = names.length === 0 ? "" : `${didYouMean(name, names, "projects")}. `;
    throw new ProjectServiceError(
      "NOT_FOUND",
      `There is no project ${named}. ${known}The user in the setting username has access to ${displayCount(names.length, "project")}. The project may have been renamed or deleted in the service: restore it there, or change the program.`,
    );
  }
  if (others.length === 0) return match;
  const ids = displayList([match, ...others].map(({ projectId }) => projectId));
  throw new ProjectServiceError(
    "AMBIGUOUS_NAME",
    `There are ${others.length + 1} projects ${named}: ${ids}. Pass projectId instead of name.`,
  );
}

/** A project in list form reaches Pulumi as it is. */
function checkUsable(project: ProjectSummary): void {
  try {
    pulumiSafeJson(project, `project ${displayText(project.projectId)}`);
  } catch (error) {
    throw new ProjectServiceError(
      "RESPONSE_INVALID",
      `The list is invalid: ${(error as Error).message}. Correct the project in the service.`,
    );
  }
}
