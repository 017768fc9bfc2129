import {
  type AuditedEnvironment,
  type AuditedProject,
  auditedProject,
  type ProjectToCheck,
} from "./auditedProject.js";
import type { Finding, Level } from "./finding.js";
import type { Problem } from "./problem.js";
import type { OptionsSchema } from "./ruleOptions.js";

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
  /** The places that the rule checks, and that can have findings. */
  readonly checks: readonly CheckedPlace[];
  /** Ids of the environments to which the options limit the rule. Undefined: every environment. */
  readonly checkedEnvironments: readonly string[] | undefined;
  /** Whether the rule checks a project: it could be read, and the options do not leave it out. */
  readonly checksProject: (project: ProjectToCheck) => boolean;
  /** Whether the rule also compares projects with each other, which only an audit can do. */
  readonly comparesProjects: boolean;
  /** True for a rule about the records in a stack's state. Such a rule cannot check the service itself. */
  readonly snapshotsOnly: boolean;
  /** The options of the rule, for the `configSchema` of a Pulumi policy. */
  readonly optionsSchema: OptionsSchema;
  /**
   * Returns the rule with other options. Options that are not given, or undefined, stay as they are. So
   * do the name and the severity of a rule that was spread to change them.
   *
   * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
   */
  readonly withOptions: (options: object) => Rule;
  /**
   * Checks a project. Returns a finding for each problem. Does not compare it with other projects.
   *
   * @throws ProjectServiceError `ARGUMENT_INVALID` if the object is not a project, or if the rule fails.
   */
  readonly check: (project: ProjectToCheck) => Finding[];
  /**
   * Checks several projects, each of them alone and all of them together. Returns the findings in the
   * order of the projects.
   *
   * @throws ProjectServiceError as {@link check}.
   */
  readonly checkAll: (projects: readonly ProjectToCheck[]) => Finding[];
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
  readonly checkProject?: ((project: AuditedProject) => readonly Problem[]) | undefined;
  /** Returns the problems of one environment. The list is empty if there are none. */
  readonly checkEnvironment?:
    ((environment: AuditedEnvironment, project: AuditedProject) => readonly Problem[]) | undefined;
  /**
   * Returns the problems that show only if projects are compared, each with its `projectId`. Gets all
   * projects of an audit at once, without those that could not be read. `checkProject` and policy packs
   * see one project at a time, and leave this check out.
   */
  readonly checkProjects?:
    ((projects: readonly AuditedProject[]) => readonly Problem[]) | undefined;
}

/**
 * Checks a project against all the rules. Rules do not receive its credentials.
 *
 * @returns the findings in the order of the rules. The list is empty if the project follows every rule.
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the object is not a project, or if a rule fails.
 *
 * @example
 * const findings = checkProject(await getProject({ name: "shop" }), houseRules());
 */
export function checkProject(project: ProjectToCheck, rules: readonly Rule[]): Finding[] {
  const audited = auditedProject(project);
  return rules.flatMap((rule) => rule.check(audited));
}
