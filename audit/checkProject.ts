import type { AuditedProject } from "./auditedProject.js";
import type { Finding } from "./finding.js";
import type { Rule } from "./rule.js";

/**
 * Checks a project by all the rules.
 *
 * @returns the findings in the order of the rules; none where every rule holds.
 * @throws ProjectServiceError `ARGUMENT_INVALID` for what is no project.
 *
 * @example
 * const findings = checkProject(await getProject({ name: "shop" }), houseRules());
 */
export function checkProject(project: AuditedProject, rules: readonly Rule[]): Finding[] {
  return rules.flatMap((rule) => rule.check(project));
}
