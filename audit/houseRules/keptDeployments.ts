import { exampleOfLive, houseRule } from "../rules/houseRule.js";
import { indeterminate, violated } from "../rules/problem.js";
import { countOption } from "../rules/ruleOptions.js";
import type { ScopeOptions } from "../rules/ruleScope.js";

/** Options of `keptDeployments`. */
export interface KeptDeploymentsOptions extends ScopeOptions {
  /** The minimum number of deployments to keep. Default 3. */
  minimum?: number | undefined;
}

/**
 * Requires that every environment keeps enough deployments to roll back to.
 *
 * The state is `unknown` if the service does not say how many deployments the environment keeps. A
 * project without code, as the service says, need not keep any.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export const keptDeployments = houseRule<KeptDeploymentsOptions>({
  key: "keptDeployments",
  options: { minimum: countOption("The minimum number of deployments to keep.", 3) },
  needs: ["environments.deploymentsToKeep"],
  mayNeed: ["hasCode"],
  concerns: ({ hasCode, environments }) =>
    hasCode !== false || environments.some(({ deploymentsToKeep }) => deploymentsToKeep),
  define: ({ minimum }) => ({
    name: "kept-deployments",
    description: `Every environment keeps at least ${deployments(minimum)}.`,
    reason: "A rollback is only possible to a deployment that the environment still keeps.",
    remedy: `Set deploymentsToKeep to ${minimum} or more in the Project Service.`,
    checkEnvironment: ({ deploymentsToKeep: kept }, { hasCode }) => {
      if (hasCode === false && !kept) return [];
      if (typeof kept !== "number") {
        const message = "The service does not say how many deployments the environment keeps.";
        return [indeterminate(message, { subject: "deploymentsToKeep" })];
      }
      if (kept >= minimum) return [];
      const subject = `deploymentsToKeep ${kept}`;
      return [violated(`The environment keeps ${deployments(kept)}.`, { subject })];
    },
  }),
  examples: {
    violating: exampleOfLive({ deploymentsToKeep: 1 }),
    passing: exampleOfLive({ deploymentsToKeep: 5 }),
  },
});

function deployments(count: number): string {
  return count === 1 ? "1 deployment" : `${count} deployments`;
}
