import { openFindings } from "./report/acceptance.js";
import { auditedProject, type ProjectToCheck } from "./rules/auditedProject.js";
import type { Finding } from "./rules/finding.js";
import { readableProject } from "./rules/readableProject.js";
import type { Rule } from "./rules/rule.js";
import { runRules } from "./rules/runRules.js";

/**
 * Checks a project against all the rules. Rules do not receive its credentials. It is not compared with
 * other projects. A project that could not be read has one finding, of the rule `readable-project`.
 *
 * @param options `accepted`: the content of the file that `pulumi-project-service audit --accepted` reads. Leaves
 *   out the findings that it accepts on the present day in UTC. In the last 14 days of an acceptance, its
 *   finding is a `note` that names its last day.
 * @returns the findings in the order of the rules. The list is empty if the project follows every rule.
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the object is not a project, if a rule fails, or if
 *   `accepted` is not the content of such a file.
 *
 * @example
 * const findings = checkProject(await getProject({ name: "shop" }), houseRules());
 */
export function checkProject(
  project: ProjectToCheck,
  rules: readonly Rule[],
  { accepted }: { readonly accepted?: object | undefined } = {},
): Finding[] {
  // Hides checkProjects. A copy would lack the checks that a rule inherits from its class.
  const alone = rules.map((rule) => Object.create(rule, { checkProjects: {} }) as Rule);
  const findings = checkProjects([project], alone);
  return accepted === undefined ? findings : openFindings(findings, accepted);
}

/**
 * Checks projects against all the rules, each project alone and all of them together. A project that could not
 * be read has one finding, of the rule `readable-project`.
 *
 * @returns the findings in the order of the rules, and for each rule in the order of the projects.
 * @throws ProjectServiceError `ARGUMENT_INVALID` if an object is not a project, or if a rule fails.
 */
export function checkProjects(
  projects: readonly ProjectToCheck[],
  rules: readonly Rule[],
): Finding[] {
  const results = runRules([readableProject, ...rules], projects.map(auditedProject));
  return results.flatMap(({ findings }) => findings);
}
