/** Whether the project breaks the rule, or the rule cannot decide. */
export type FindingState = "violated" | "unknown";

/** A problem in a project or an environment, or a check that the rule cannot decide. */
export interface Problem {
  /** `violated`, or `unknown` if the rule cannot decide. */
  readonly state: FindingState;
  /** Complete sentences. */
  readonly message: string;
}

/**
 * Returns the problem of a project or an environment that violates the rule.
 *
 * @param message complete sentences, without the names of project, environment and rule.
 */
export const violated = (message: string): Problem => ({ state: "violated", message });

/**
 * Returns the problem of a rule that cannot decide, because the service omits a field.
 *
 * @param message complete sentences, without the names of project, environment and rule.
 */
export const indeterminate = (message: string): Problem => ({ state: "unknown", message });
