/** Whether the project breaks the rule, or the rule cannot decide. */
export type FindingState = "violated" | "unknown";

/** A problem in a project or an environment, or a check that the rule cannot decide. */
export interface Problem extends ProblemOptions {
  /** `violated`, or `unknown` if the rule cannot decide. */
  readonly state: FindingState;
  /** Complete sentences. */
  readonly message: string;
}

/** The subject and the place of a problem. */
export interface ProblemOptions {
  /**
   * Names the thing that the problem is about, such as `database shop_live (MYSQL)` or
   * `webroot /tmp/x`. Somebody who accepts a finding accepts its subject: with another subject, it is a
   * new finding. Include the value that somebody accepts. Default: the message.
   */
  readonly subject?: string | undefined;
  /** The project. Required for a problem that `checkProjects` returns, and for no other. */
  readonly projectId?: string | undefined;
  /**
   * The environment, for a problem that `checkProjects` returns, and for no other. Default: the project
   * as a whole.
   */
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
 * Returns the problem of a rule that cannot decide, because the service omits a field.
 *
 * @param message complete sentences, without the names of project, environment and rule.
 */
export const indeterminate = (message: string, options: ProblemOptions = {}): Problem => ({
  ...options,
  state: "unknown",
  message,
});
