import type { AuditedEnvironment, AuditedProject } from "../rules/auditedProject.js";
import { indeterminate, type Problem } from "../rules/problem.js";

type ListKey = "databases" | "assetGroups" | "symLinks";

/** Whether the service omits a list of the environment, which is then empty. */
export function omits({ missingFields }: AuditedEnvironment, list: ListKey): boolean {
  return missingFields?.includes(list) === true;
}

/**
 * Returns the problem of a project that lists no databases or no assets, although the service does not
 * say that it has none. A list that the service omits is a problem of its environment, if the rule
 * checks that one.
 */
export function unlistedProblem(
  { environments, missingFields }: AuditedProject,
  things: "databases" | "assets",
  hasThings: boolean | null | undefined,
  checked: readonly string[] | undefined,
): Problem[] {
  const list = things === "databases" ? "databases" : "assetGroups";
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
  return [
    indeterminate(
      hasThings === true
        ? `The service says that the project has ${things}, but it lists none.`
        : `The service lists no ${things}, and does not say whether the project has some.`,
      { subject: things },
    ),
  ];
}
