/** Whether the project breaks the rule, or the rule cannot decide. */
export type FindingState = "violated" | "unknown";

/** A problem in a project or an environment, or a check that the rule cannot decide. */
export interface Problem extends ProblemOptions {
  /** `violated`, or `unknown` if the rule cannot decide. */
  readonly state: FindingState;
  /** Complete sentences. */
  readonly message: string;
}

/** What a problem is about. */
export interface ProblemOptions {
  /**
   * What the problem is about, in words that do not change with the message, with the value where the
   * value is the point: `database shop_live`, `webroot /tmp/x`. Default: the message. Whoever accepts a
   * finding accepts its subject.
   */
  readonly subject?: string | undefined;
  /** The project. Required for a problem that `checkProjects` returns, and for no other. */
  readonly projectId?: string | undefined;
  /** For a problem that `checkProjects` returns: the environment. Default: the project as a whole. */
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
