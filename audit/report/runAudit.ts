import { didYouMean, displayCount, displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { groupBy } from "../../provider/model/groupBy.js";
import {
  type AuditedProject,
  auditedProject,
  type ProjectToCheck,
} from "../rules/auditedProject.js";
import type { Rule } from "../rules/rule.js";
import { type Checked, readableProject, runRules } from "../rules/runRules.js";

/**
 * Checks projects against rules. The findings are in the order of the projects.
 *
 * @param isFiltered whether the audit had a filter. Then an environment may be in a project that the filter leaves out.
 * @throws ProjectServiceError `ARGUMENT_INVALID` if a rule fails, or if the audit would be green because it looked at
 *   nothing: no rule checked anything, or a rule names an environment that no project has.
 */
export function runAudit(
  projects: readonly ProjectToCheck[],
  rules: readonly Rule[],
  isFiltered: boolean,
) {
  const audited = projects.map(auditedProject);
  if (!isFiltered) refuseUnknownEnvironments(rules, audited);
  const results = runRules(rules, audited);
  const isIdleResult = ({ rule, checked, findings }: (typeof results)[number]) =>
    rule === readableProject || isIdle({ name: rule.name, checked }, findings);
  if (results.every(isIdleResult)) {
    throw argumentInvalid(
      `No rule checked anything in ${displayCount(audited.length, "project")}. Check --filter, and the rules in --rules and their environments.`,
    );
  }
  const byProject = groupBy(
    results.flatMap((result) => result.findings),
    ({ projectId }) => projectId,
  );
  const findings = audited.flatMap(({ projectId }) => byProject.get(projectId) ?? []);
  return { projects: audited, results, findings };
}

/** Whether a rule checked nothing. A rule that counts environments can have findings of a project without any. */
export function isIdle(
  { name, checked }: { readonly name: string; readonly checked: Checked },
  findings: readonly { readonly rule: string }[],
): boolean {
  const hasNone = Object.values(checked).every((count) => count === 0);
  return hasNone && !findings.some(({ rule }) => rule === name);
}

function refuseUnknownEnvironments(rules: readonly Rule[], projects: readonly AuditedProject[]) {
  // If the environments of a project are not known, one of them may have the id.
  if (!projects.every((project) => "environments" in project)) return;
  const existing = new Set(projects.flatMap(environmentIdsOf));
  for (const { name, environments = [] } of rules) {
    const missing = environments.find((id) => !existing.has(id));
    if (missing === undefined) continue;
    throw argumentInvalid(
      `The rule ${name} names the environment ${displayText(missing)}, but no project has it. ${didYouMean(missing, [...existing], "environments")}. Correct its option environments in --rules, or leave the rule out.`,
    );
  }
}

export function environmentIdsOf({ environments }: AuditedProject): string[] {
  return environments.map(({ environmentId }) => environmentId);
}
