import type { AcceptedEntry } from "./acceptance.js";
import type { ReportedProject, ReportedRule } from "./report.js";

/**
 * Returns the places of a project that a rule checked: undefined for the project as a whole, and the ids
 * of environments. The list is empty if the rule did not check the project.
 */
export function checkedPlaces(
  rule: ReportedRule,
  { uncheckedBy, environmentIds = [] }: ReportedProject,
): (string | undefined)[] {
  if (uncheckedBy.includes(rule.name)) return [];
  return [
    ...(rule.checks.includes("project") ? [undefined] : []),
    ...(rule.checks.includes("environments")
      ? environmentIds.filter((environmentId) => checksEnvironment(rule, environmentId))
      : []),
  ];
}

/** Whether a rule checked the place of an entry, or would have done so if the environment existed. */
export function isPlaceChecked(
  rule: ReportedRule,
  { uncheckedBy, environmentIds }: ReportedProject,
  { environmentId }: AcceptedEntry,
): boolean {
  if (uncheckedBy.includes(rule.name)) return false;
  if (environmentId === undefined) return true;
  return environmentIds !== undefined && checksEnvironment(rule, environmentId);
}

function checksEnvironment({ checkedEnvironments }: ReportedRule, environmentId: string): boolean {
  return checkedEnvironments?.includes(environmentId) !== false;
}
