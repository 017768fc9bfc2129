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
export const indeterminate = (message: string, options: ProblemOptions = {}): Problem => ({
  ...options,
  state: "unknown",
  message,
});

/** Whether a value is a problem. A rule of a user may return anything. */
export function isProblem(value: unknown): value is Problem {
  const {
    state,
    message,
    subject = "-",
    projectId = "-",
    environmentId = "-",
  } = Object(value) as Problem;
  return (
    ["violated", "unknown"].includes(state) &&
    [message, subject, projectId, environmentId].every(isText)
  );
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}
