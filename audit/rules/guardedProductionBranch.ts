import { displayList, displayText } from "../../provider/errors/displayText.js";
import { defineRule, indeterminate, type Rule, violated } from "./rule.js";
import { checkOptions, stringsOption } from "./ruleOptions.js";

/** Options of `guardedProductionBranch`. */
export interface GuardedProductionBranchOptions {
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
export function guardedProductionBranch(options: GuardedProductionBranchOptions = {}): Rule {
  checkOptions("guardedProductionBranch", options, ["environments"]);
  const { environments = ["live"] } = options;
  const inProduction = stringsOption("guardedProductionBranch", "environments", environments);
  return defineRule({
    name: "guarded-production-branch",
    description: `The branch of ${displayList(inProduction)} is guarded.`,
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
  });
}
