import { displayList, displayText } from "../../provider/errors/displayText.js";
import { exampleProject, houseRule, type HouseRuleFactory } from "./houseRule.js";
import { indeterminate, violated } from "./problem.js";
import { type SeverityOption, stringsOption } from "./ruleOptions.js";

/** Options of `guardedProductionBranch`. */
export interface GuardedProductionBranchOptions extends SeverityOption {
  /** Ids of the environments in production. Default `["live"]`. */
  environments?: readonly string[] | undefined;
}

/**
 * Requires that environments in production use a guarded branch.
 *
 * The state is `unknown` if the service does not say whether the branch is guarded, unless it says
 * that the project has no code. It is also `unknown` for a project that has none of the environments.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export const guardedProductionBranch: HouseRuleFactory<GuardedProductionBranchOptions> = houseRule({
  key: "guardedProductionBranch",
  options: { environments: stringsOption("Ids of the environments in production.", ["live"]) },
  define: ({ environments: inProduction }) => ({
    name: "guarded-production-branch",
    description:
      inProduction.length === 1
        ? `The branch of the environment ${displayList(inProduction)} is guarded.`
        : `The branches of the environments ${displayList(inProduction)} are guarded.`,
    reason: "Anyone who may push to an unguarded branch decides what runs in production.",
    remedy: "Guard the branch in the Project Service, or let the environment use a guarded branch.",
    checkProject: (project) =>
      project.environments.some(({ environmentId }) => inProduction.includes(environmentId))
        ? []
        : [
            indeterminate(
              `The rule checked no branch, because the project has none of these environments: ${displayList(inProduction)}. Set the option environments of the rule to the project's environments in production.`,
            ),
          ],
    checkEnvironment: ({ environmentId, branch }, { hasCode }) => {
      if (!inProduction.includes(environmentId) || branch?.guarded === true) return [];
      const name = branch?.name ? `branch ${displayText(branch.name)}` : "branch";
      if (branch?.guarded === false) return [violated(`The ${name} is not guarded.`)];
      return hasCode === false
        ? []
        : [indeterminate(`The service does not say whether the ${name} is guarded.`)];
    },
  }),
  examples: {
    violating: exampleProject({
      environments: [{ environmentId: "live", branch: { name: "main", guarded: false } }],
    }),
    passing: exampleProject({
      environments: [{ environmentId: "live", branch: { name: "main", guarded: true } }],
    }),
  },
});
