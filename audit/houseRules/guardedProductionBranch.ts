import { displayList, displayText } from "../../provider/errors/displayText.js";
import { exampleOfLive, houseRule } from "../rules/houseRule.js";
import { indeterminate, violated } from "../rules/problem.js";
import type { ScopeOptions } from "../rules/ruleScope.js";

/** Options of `guardedProductionBranch`. `environments` are those in production, default `["live"]`. */
export type GuardedProductionBranchOptions = ScopeOptions;

/**
 * Requires that environments in production use a guarded branch.
 *
 * The state is `unknown` if the service does not say whether the branch is guarded, or if the project
 * has none of the environments, unless the service says that the project has no code.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export const guardedProductionBranch = houseRule<GuardedProductionBranchOptions>({
  key: "guardedProductionBranch",
  options: {},
  environments: ["live"],
  needs: ["environments.branch.guarded"],
  mayNeed: ["hasCode"],
  concerns: ({ hasCode }) => hasCode !== false,
  define: (_options, environments = []) => ({
    name: "guarded-production-branch",
    description:
      environments.length === 1
        ? `The branch of the environment ${displayList(environments)} is guarded.`
        : `The branches of the environments ${displayList(environments)} are guarded.`,
    reason: "Anyone who may push to an unguarded branch decides what runs in production.",
    remedy: "Guard the branch in the Project Service, or let the environment use a guarded branch.",
    checkEnvironment: ({ branch }, { hasCode }) => {
      if (branch?.guarded === true) return [];
      const name = branch?.name ? `branch ${displayText(branch.name)}` : "branch";
      const about = { subject: branch?.name ? `branch ${branch.name}` : "branch" };
      if (branch?.guarded === false) return [violated(`The ${name} is not guarded.`, about)];
      return hasCode === false
        ? []
        : [indeterminate(`The service does not say whether the ${name} is guarded.`, about)];
    },
  }),
  examples: {
    violating: exampleOfLive({ branch: { name: "main", guarded: false } }),
    passing: exampleOfLive({ branch: { name: "main", guarded: true } }),
  },
});
