import { didYouMean, displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { groupBy } from "../../provider/model/groupBy.js";
import {
  type AuditedProject,
  auditedProject,
  type ProjectToCheck,
} from "../rules/auditedProject.js";
import type { Rule } from "../rules/rule.js";
import { runRules } from "../rules/runRules.js";

/**
 * Checks projects against rules. The findings are in the order of the projects.
 *
 * @param isComplete whether these are all projects of the service. With a filter, an environment may be in another one.
 */
export function runAudit(
  projects: readonly ProjectToCheck[],
  rules: readonly Rule[],
  isComplete: boolean,
) {
  const audited = projects.map(auditedProject);
  if (isComplete) refuseUnknownEnvironments(rules, audited);
  const results = runRules(rules, audited);
  const byProject = groupBy(
    results.flatMap((result) => result.findings),
    ({ projectId }) => projectId,
  );
  const findings = audited.flatMap(({ projectId }) => byProject.get(projectId) ?? []);
  return { projects: audited, results, findings };
}

/**
 * A rule for an environment that nobody has would never run, and the audit would be green. Nothing is said
 * if the environments of a project are not known: one of them may have the id.
 */
function refuseUnknownEnvironments(
  rules: readonly Rule[],
  projects: readonly AuditedProject[],
): void {
  if (projects.length === 0 || !projects.every((project) => "environments" in project)) return;
  const existing = new Set(projects.flatMap(environmentIdsOf));
  for (const { name, environments = [] } of rules) {
    const unknown = environments.find((id) => !existing.has(id));
    if (unknown === undefined) continue;
    throw argumentInvalid(
      `The rule ${name} applies to the environment ${displayText(unknown)}, but no project has it. ${didYouMean(unknown, [...existing], "environments")}. Correct the option environments of the rule.`,
    );
  }
}

export function environmentIdsOf({ environments }: AuditedProject): string[] {
  return environments.map(({ environmentId }) => environmentId);
}
