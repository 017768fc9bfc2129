import type { ReportedProject, ReportedRule } from "./report.js";

/**
 * Returns the places of a project that a rule checked: undefined for the project as a whole, or the ids of
 * environments. The list is empty if the project could not be read.
 */
export function checkedPlaces(
  { checked, environments }: ReportedRule,
  { inaccessible, environmentIds = [] }: ReportedProject,
): (string | undefined)[] {
  if (inaccessible !== undefined) return [];
  if ("projects" in checked) return [undefined];
  return environmentIds.filter((id) => environments?.includes(id) !== false);
}
