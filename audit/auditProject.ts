import { openFindings } from "./report/acceptance.js";
import { auditedProject, type ProjectToCheck } from "./rules/auditedProject.js";
import { defineRule } from "./rules/defineRule.js";
import type { Finding } from "./rules/finding.js";
import type { Rule } from "./rules/rule.js";
import { readableProject, runRules } from "./rules/runRules.js";

/**
 * Checks a project against all the rules. Rules do not receive its credentials. It is not compared with
 * other projects. A project that could not be read has one finding, of the rule `readable-project`.
 *
 * @param options `accepted`: the content of the file that `pulumi-project-service audit --accepted` reads. Leaves
 *   out the findings that it accepts on the present day in UTC. From 14 days before the last day of an
 *   acceptance, its finding is a `note` that names that day.
 * @returns the findings in the order of the rules. The list is empty if the project follows every rule.
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the object is not a project, if a rule is not one or fails,
 *   or if `accepted` is not the content of such a file.
 *
 * @example
 * const findings = auditProject(await getProject({ name: "shop" }), builtInRules());
 */
export function auditProject(
  project: ProjectToCheck,
  rules: readonly Rule[],
  { accepted }: { readonly accepted?: object | undefined } = {},
): Finding[] {
  const alone = rules.map((rule) => ({ ...defineRule(rule), checkProjects: undefined }));
  const findings = findingsIn([project], alone);
  return accepted === undefined ? findings : openFindings(findings, accepted);
}

/**
 * Checks projects against all the rules, each project alone and all of them together. A project that could not
 * be read has one finding, of the rule `readable-project`.
 *
 * @returns the findings in the order of the rules, and for each rule in the order of the projects.
 * @throws ProjectServiceError `ARGUMENT_INVALID` if an object is not a project, or if a rule is not one or fails.
 */
export function auditProjects(
  projects: readonly ProjectToCheck[],
  rules: readonly Rule[],
): Finding[] {
  return findingsIn(projects, rules.map(defineRule));
}

function findingsIn(projects: readonly ProjectToCheck[], rules: readonly Rule[]): Finding[] {
  const results = runRules([readableProject, ...rules], projects.map(auditedProject));
  return results.flatMap(({ findings }) => findings);
}
