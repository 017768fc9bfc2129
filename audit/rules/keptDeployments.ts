import { defineRule, indeterminate, type Rule, violated } from "./rule.js";
import { checkOptions, countOption } from "./ruleOptions.js";

/** Options of `keptDeployments`. */
export interface KeptDeploymentsOptions {
  /** The least number of deployments to keep. Default 3. */
  minimum?: number | undefined;
}

/**
 * Requires that every environment keeps enough deployments to roll back to.
 *
 * The state is `unknown` if the service does not say how many deployments the environment keeps,
 * unless it says that the project has no code.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export function keptDeployments(options: KeptDeploymentsOptions = {}): Rule {
  checkOptions("keptDeployments", options, ["minimum"]);
  const minimum = countOption("keptDeployments", "minimum", options.minimum ?? 3);
  return defineRule({
    name: "kept-deployments",
    description: `Every environment keeps at least ${deployments(minimum)}.`,
    reason: "A rollback is only possible to a deployment that the environment still keeps.",
    remedy: `Set deploymentsToKeep to ${minimum} or more in the Project Service.`,
    checkEnvironment: ({ deploymentsToKeep: kept }, { hasCode }) => {
      if (typeof kept !== "number") {
        return hasCode === false
          ? []
          : [indeterminate("The service does not say how many deployments the environment keeps.")];
      }
      return kept >= minimum ? [] : [violated(`The environment keeps ${deployments(kept)}.`)];
    },
  });
}

function deployments(count: number): string {
  return count === 1 ? "1 deployment" : `${count} deployments`;
}
