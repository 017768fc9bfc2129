import type { AuditedEnvironment, AuditedProject } from "../rules/auditedProject.js";
import { indeterminate, type Problem } from "../rules/problem.js";

type ListKey = "databases" | "assetGroups" | "symLinks";

/** Whether the service omits a list of the environment, which is then empty. */
export function omits({ missingFields }: AuditedEnvironment, list: ListKey): boolean {
  return missingFields?.includes(list) === true;
}

/** Whether a project has databases, or may have some. */
export function mayHaveDatabases({ hasDatabases, environments }: AuditedProject): boolean {
  return hasDatabases !== false || environments.some(({ databases }) => databases?.length);
}

/** Returns the problem of an environment without its list of databases, in a project that may have some. */
export function omittedDatabases(
  environment: AuditedEnvironment,
  { hasDatabases }: AuditedProject,
): Problem[] {
  if (!omits(environment, "databases") || hasDatabases === false) return [];
  return [indeterminate("The service omits the list of databases.", { subject: "databases" })];
}

/**
 * Returns the problem of a project that lists no databases or no assets, although the service does not
 * say that it has none. A list that the service omits is a problem of its environment, if the rule
 * checks that one.
 */
export function unlistedProblem(
  { environments, missingFields, hasDatabases, hasAssets }: AuditedProject,
  things: "databases" | "assets",
  checked: readonly string[] | undefined,
): Problem[] {
  const list = things === "databases" ? "databases" : "assetGroups";
  const hasThings = things === "databases" ? hasDatabases : hasAssets;
  if (
    hasThings === false ||
    missingFields.includes("environments") ||
    environments.some(
      (environment) =>
        environment[list]?.length ||
        (omits(environment, list) && checked?.includes(environment.environmentId) !== false),
    )
  ) {
    return [];
  }
  const message =
    hasThings === true
      ? `The service says that the project has ${things}, but it lists none.`
      : `The service lists no ${things}, and does not say whether the project has some.`;
  return [indeterminate(message, { subject: things })];
}
