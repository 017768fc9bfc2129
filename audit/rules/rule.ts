import { argumentInvalid } from "../../provider/errors/argumentInvalid.js";
import { displayText } from "../../provider/errors/displayText.js";
import type { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import type { AuditedEnvironment, AuditedProject } from "./auditedProject.js";
import { type CheckedProject, checkedProject } from "./checkedProject.js";
import { createFinding, type Finding, type Level } from "./finding.js";
import { indeterminate, type Problem } from "./problem.js";
import { checkOptions, type OptionsSchema } from "./ruleOptions.js";

/** A rule that projects have to follow. */
export interface Rule {
  /** For example `restricted-databases`. */
  readonly name: string;
  /** The level of a finding that violates the rule. */
  readonly severity: Level;
  /** The requirement, as a sentence. */
  readonly description: string;
  /** Why the rule exists. */
  readonly reason: string;
  /** How to solve the problem if a project violates the rule. */
  readonly remedy: string;
  /** The places that the rule checks, and that can have a finding. */
  readonly checks: readonly CheckedPlace[];
  /** True for a rule about the records in a stack's state. Such a rule cannot check the service itself. */
  readonly snapshotsOnly: boolean;
  /** The options of the rule, for the `configSchema` of a Pulumi policy. */
  readonly optionsSchema: OptionsSchema;
  /**
   * Returns the rule with other options. Options that are not given stay as they are.
   *
   * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
   */
  readonly withOptions: (options: object) => Rule;
  /**
   * Checks a project. Returns at most one finding for each environment, and one for the project as a
   * whole.
   *
   * @throws ProjectServiceError `ARGUMENT_INVALID` if the object is not a project, or if the rule fails.
   */
  readonly check: (project: AuditedProject) => Finding[];
}

/** Whether a rule checks the project as a whole, each of its environments, or both. */
export type CheckedPlace = "project" | "environments";

/** The texts of a rule, and its checks. */
export interface RuleDefinition {
  /** Lowercase words with hyphens, for example `restricted-databases`. */
  readonly name: string;
  /** The level of a finding that violates the rule. Default `error`. */
  readonly severity?: Level | undefined;
  /** The requirement, as a sentence. */
  readonly description: string;
  /** Why the rule exists. */
  readonly reason: string;
  /** How to solve the problem if a project violates the rule. */
  readonly remedy: string;
  /** Returns the problems of the project as a whole. The list is empty if there are none. */
  readonly checkProject?: ((project: CheckedProject) => readonly Problem[]) | undefined;
  /** Returns the problems of one environment. The list is empty if there are none. */
  readonly checkEnvironment?:
    ((environment: AuditedEnvironment, project: CheckedProject) => readonly Problem[]) | undefined;
}

/** Creates a rule without options of a definition that is known to be correct. Others need `defineRule`. */
export function createRule(definition: RuleDefinition, snapshotsOnly = false): Rule {
  const { name, severity = "error", description, reason, remedy } = definition;
  const { checkProject, checkEnvironment } = definition;
  const checks: readonly CheckedPlace[] = Object.freeze([
    ...(checkProject === undefined ? [] : (["project"] as const)),
    ...(checkEnvironment === undefined ? [] : (["environments"] as const)),
  ]);

  function check(audited: AuditedProject): Finding[] {
    const project = checkedProject(audited);
    const findings: Finding[] = [];
    function add(problems: readonly Problem[], environmentId?: string): void {
      if (problems.length === 0) return;
      findings.push(createFinding(rule, project, problems, environmentId));
    }
    // Nothing of the project is known, except that no credentials of it are recorded.
    if (project.inaccessible !== undefined && !snapshotsOnly) {
      const code = displayText(project.inaccessible);
      add([indeterminate(`The project could not be read when it was recorded (${code}).`)]);
      return findings;
    }
    if (checkProject !== undefined) add(problemsOf(name, project, () => checkProject(project)));
    if (checkEnvironment === undefined) return findings;
    for (const environment of project.environments) {
      const problems = problemsOf(name, project, () => checkEnvironment(environment, project));
      add(problems, environment.environmentId);
    }
    return findings;
  }

  const rule: Rule = Object.freeze({
    name,
    severity,
    description,
    reason,
    remedy,
    checks,
    snapshotsOnly,
    optionsSchema: { properties: {} },
    withOptions: (options: object) => {
      checkOptions(name, options, []);
      return rule;
    },
    check,
  });
  return rule;
}

/** Runs a check. Its errors name the rule. */
function problemsOf(
  rule: string,
  { projectId }: CheckedProject,
  runCheck: () => unknown,
): readonly Problem[] {
  let problems: unknown;
  try {
    problems = runCheck();
  } catch (error) {
    throw ruleFailed(rule, projectId, `it threw ${describe(error)}. Correct the rule.`);
  }
  if (Array.isArray(problems) && problems.every(isProblem)) return problems;
  throw ruleFailed(
    rule,
    projectId,
    "its check returned no list of problems. Return a list of violated(message) and indeterminate(message), or an empty list. A check must not be async.",
  );
}

function isProblem(value: unknown): value is Problem {
  const { state, message } = (value ?? {}) as Partial<Problem>;
  return (state === "violated" || state === "unknown") && typeof message === "string";
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return "a value that is not an Error";
  return displayText(`${error.name}: ${error.message}`, 300);
}

function ruleFailed(rule: string, projectId: string, problem: string): ProjectServiceError {
  return argumentInvalid(
    `The rule ${rule} failed for project ${displayText(projectId)}: ${problem}`,
  );
}
