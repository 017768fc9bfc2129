import type { AuditedProject } from "./auditedProject.js";
import { checkedProject } from "./checkedProject.js";
import type { Finding } from "./finding.js";
import type { Rule } from "./rule.js";

/**
 * Checks a project against all the rules. Rules do not receive its credentials.
 *
 * @returns the findings in the order of the rules. The list is empty if the project follows every rule.
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the object is not a project, or if a rule fails.
 *
 * @example
 * const findings = checkProject(await getProject({ name: "shop" }), houseRules());
 */
export function checkProject(project: AuditedProject, rules: readonly Rule[]): Finding[] {
  const checked = checkedProject(project);
  return rules.flatMap((rule) => rule.check(checked));
}
