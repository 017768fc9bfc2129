import { defineRule, type Rule, unknown, violated } from "../rule.js";
import { checkOptions, countOption } from "../ruleOptions.js";

export interface KeptDeploymentsOptions {
  /** How many deployments must be kept, at least. Default 3. */
  minimum?: number | undefined;
}

/**
 * Every environment keeps enough deployments to go back to.
 *
 * Unknown where the service does not say how many it keeps, unless it says that the project has no
 * code.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for options that are unknown or wrong.
 */
export function keptDeployments(options: KeptDeploymentsOptions = {}): Rule {
  checkOptions("keptDeployments", options, ["minimum"]);
  const minimum = countOption("keptDeployments", "minimum", options.minimum ?? 3);
  return defineRule({
    name: "kept-deployments",
    description: `Every environment keeps at least ${deployments(minimum)}.`,
    reason: "A deployment that is no longer there cannot be gone back to.",
    remedy: `Set deploymentsToKeep to ${minimum} or more in the Project Service.`,
    ofEnvironment: ({ deploymentsToKeep: kept }, { hasCode }) => {
      if (typeof kept !== "number") {
        return hasCode === false
          ? []
          : [unknown("How many deployments it keeps, the service does not say.")];
      }
      return kept >= minimum ? [] : [violated(`It keeps ${deployments(kept)}.`)];
    },
  });
}

function deployments(count: number): string {
  return count === 1 ? "1 deployment" : `${count} deployments`;
}
