/* Which listed projects a call means. */
import { didYouMean, displayList, displayText } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import type { ProjectSummary } from "../model/project.js";
import { compileFilters, isUndecided, type ProjectFilter } from "../model/projectFilter.js";
import { pulumiSafeJson } from "../wire/pulumiSafeJson.js";

/**
 * Returns the projects that match the filters, which have keys of the list form.
 *
 * @param isSecret whether an error must contain no text of the service.
 * @throws ProjectServiceError `RESPONSE_INVALID` if the list has no value for a filter, or one that Pulumi cannot take.
 */
export function selectListed(
  listed: readonly Readonly<ProjectSummary>[],
  filters: readonly ProjectFilter[],
  isSecret = false,
): readonly Readonly<ProjectSummary>[] {
  const compiled = compileFilters(filters);
  const projects = listed.filter((project) => {
    const unmatched = compiled.filter(({ matches }) => !matches(project));
    const [first] = unmatched;
    if (first === undefined) return true;
    if (unmatched.some((filter) => !isUndecided(project, filter))) return false;
    throw undecidedInList(project, first, isSecret);
  });
  for (const project of projects) checkUsable(project, isSecret);
  return projects;
}

/**
 * Returns the listed project with a name.
 *
 * @param isSecret whether an error must contain neither the name nor an id.
 * @throws ProjectServiceError `NOT_FOUND`, `AMBIGUOUS_NAME`
 */
export function findByName(
  name: string,
  projects: readonly ProjectSummary[],
  isSecret = false,
): ProjectSummary {
  const [match, ...others] = projects.filter((project) => project.name === name);
  const named = isSecret ? "with the given name" : `named "${displayText(name)}"`;
  if (match === undefined) {
    const names = projects.map((project) => project.name);
    const similar = isSecret ? "" : ` ${didYouMean(name, names, "projects")}.`;
    throw new ProjectServiceError(
      "NOT_FOUND",
      `There is no project ${named}.${similar} The user in the setting username has access to ${names.length} projects. The project may have been renamed or deleted in the service: restore it there, or change the program.`,
    );
  }
  if (others.length === 0) return match;
  const ids = displayList([match, ...others].map(({ projectId }) => projectId));
  throw new ProjectServiceError(
    "AMBIGUOUS_NAME",
    `There are ${others.length + 1} projects ${named}${isSecret ? "" : `: ${ids}`}. Pass projectId instead of name.`,
  );
}

/** A project in list form reaches Pulumi as it is. */
function checkUsable(project: ProjectSummary, isSecret = false): void {
  try {
    pulumiSafeJson(project, isSecret ? "a project" : `project ${displayText(project.projectId)}`);
  } catch (error) {
    throw new ProjectServiceError(
      "RESPONSE_INVALID",
      `The list is invalid: ${(error as Error).message}. Correct the project in the service.`,
    );
  }
}

function undecidedInList(
  { projectId }: ProjectSummary,
  { key }: ProjectFilter,
  isSecret = false,
): ProjectServiceError {
  const named = isSecret ? "a project" : `project ${displayText(projectId)}`;
  return new ProjectServiceError(
    "RESPONSE_INVALID",
    `The list has no ${key} of ${named}, so the filter ${key} cannot decide. Pass details: true, which reads the project.`,
  );
}
