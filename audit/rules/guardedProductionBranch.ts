import { listed, shown } from "../../provider/shown.js";
import { defineRule, type Rule, unknown, violated } from "../rule.js";
import { checkOptions, textsOption } from "../ruleOptions.js";

export interface GuardedProductionBranchOptions {
  /** Ids of the environments that are in production. Default `["live"]`. */
  environments?: readonly string[] | undefined;
}

/**
 * Environments in production follow a guarded branch.
 *
 * Unknown where the service does not say whether the branch is guarded, unless it says that the
 * project has no code; and for a project that has none of the environments.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for options that are unknown or wrong.
 */
export function guardedProductionBranch(options: GuardedProductionBranchOptions = {}): Rule {
  checkOptions("guardedProductionBranch", options, ["environments"]);
  const { environments = ["live"] } = options;
  const inProduction = textsOption("guardedProductionBranch", "environments", environments);
  return defineRule({
    name: "guarded-production-branch",
    description: `The branch of ${listed(inProduction)} is guarded.`,
    reason: "Whoever may push to a branch that is not guarded decides what runs in production.",
    remedy: "Guard the branch in the Project Service, or let the environment follow one that is.",
    ofProject: (project) =>
      project.environments.some(({ environmentId }) => inProduction.includes(environmentId))
        ? []
        : [
            unknown(
              `None of its environments is ${listed(inProduction)}: no branch was looked at. Name its environments in production in the rule's option environments.`,
            ),
          ],
    ofEnvironment: ({ environmentId, branch }, { hasCode }) => {
      if (!inProduction.includes(environmentId) || branch?.guarded === true) return [];
      const name = branch?.name ? `The branch ${shown(branch.name)}` : "The branch";
      if (branch?.guarded === false) return [violated(`${name} is not guarded.`)];
      return hasCode === false
        ? []
        : [unknown(`${name} may not be guarded: the service does not say.`)];
    },
  });
}
