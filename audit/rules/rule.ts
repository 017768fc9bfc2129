import type { AuditedEnvironment, AuditedProject } from "./auditedProject.js";
import type { FindingState, Level } from "./finding.js";

/**
 * A rule that projects have to follow: texts, and one or more checks. A check returns a problem for each
 * thing that is wrong, and an empty list if nothing is.
 *
 * A field that the service omits is `undefined`, and a list empty. If a check reads such a field, all its
 * problems about that environment or project become one finding with the state `undecided`. So a check should
 * read a field only if it matters. `in` tells whether a field is there, without reading it.
 */
export interface Rule {
  /** Lowercase words with hyphens, for example `restricted-databases`. */
  readonly name: string;
  /** The level of a finding that violates the rule. */
  readonly level: Level;
  /** The requirement, as a sentence. */
  readonly description: string;
  /** Why the rule exists. */
  readonly reason: string;
  /** How to solve the problem if a project violates the rule. */
  readonly remedy: string;
  /** Ids of the environments that the rule checks. The audit refuses one that no project has. */
  readonly environments?: readonly string[] | undefined;
  /** Returns the problems of one environment. */
  readonly checkEnvironment?:
    ((environment: AuditedEnvironment, project: AuditedProject) => readonly Problem[]) | undefined;
  /** Returns the problems of one project, of the project as a whole or each with its `environmentId`. */
  readonly checkProject?: ((project: AuditedProject) => readonly Problem[]) | undefined;
  /**
   * Returns the problems that show only if projects are compared, each with its `projectId`. Gets all
   * projects of an audit that could be read. `auditProject` and policy packs leave this check out,
   * because they see one project or one stack.
   */
  readonly checkProjects?:
    ((projects: readonly AuditedProject[]) => readonly Problem[]) | undefined;
}

/** A rule for `defineRule`. The default of its level is `error`. */
export type RuleDefinition = Omit<Rule, "level"> & { readonly level?: Level | undefined };

/** @param environments the ids to which a rule is limited, if it is. */
export function isChecked(
  environments: readonly string[] | undefined,
  environmentId: string,
): boolean {
  return environments?.includes(environmentId) !== false;
}

/** A problem in a project or an environment, or a check that the rule cannot decide. */
export interface Problem extends ProblemOptions {
  /** `violated`, or `undecided` if the rule cannot decide. */
  readonly state: FindingState;
  /** Complete sentences. */
  readonly message: string;
}

/** The subject and the place of a problem. */
export interface ProblemOptions {
  /**
   * Names the thing that the problem is about, such as `database shop_live` or `webroot /tmp/x`. Somebody
   * who accepts a finding accepts its subject: with another subject, it is a new finding. Include the
   * value that somebody accepts. Default: the message.
   */
  readonly subject?: string | undefined;
  /** The project. A problem that `checkProjects` returns needs it. */
  readonly projectId?: string | undefined;
  /** The environment. Default: the one that is checked, otherwise the project as a whole. */
  readonly environmentId?: string | undefined;
}

/**
 * Returns the problem of a project or an environment that violates the rule.
 *
 * @param message complete sentences, without the names of project, environment and rule.
 */
export const violated = (message: string, options: ProblemOptions = {}): Problem => ({
  ...options,
  state: "violated",
  message,
});

/**
 * Returns the problem of a rule that cannot decide, although no field is missing: for instance, because a
 * value has an unknown shape.
 *
 * @param message complete sentences, without the names of project, environment and rule.
 */
export const undecided = (message: string, options: ProblemOptions = {}): Problem => ({
  ...options,
  state: "undecided",
  message,
});
