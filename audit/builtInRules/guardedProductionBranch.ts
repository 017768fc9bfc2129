import { displayList, displayText } from "../../provider/errors/displayText.js";
import { checkOptions, type RuleOptions } from "../rules/defineRule.js";
import { type Rule, violated } from "../rules/rule.js";
import { subjectValue } from "../rules/finding.js";

/** Requires that environments in production use a guarded branch. A project without code needs no branch. */
export function guardedProductionBranch(options: RuleOptions = {}): Rule {
  const { environments = ["live"], level } = checkOptions("guardedProductionBranch", options);
  return {
    name: "guarded-production-branch",
    level,
    environments,
    description: `The branch of each of these environments is guarded: ${displayList(environments)}.`,
    reason: "Anyone who may push to an unguarded branch can change what runs in production.",
    remedy: "Guard the branch in the Project Service, or let the environment use a guarded branch.",
    checkEnvironment: (environment, project) => {
      if (!("branch" in environment) && project.hasCode === false) return [];
      const { branch } = environment;
      if (branch?.guarded !== false) return [];
      const name = "name" in branch ? branch.name : undefined;
      const subject = `branch ${subjectValue(name)}`;
      const theBranch = name ? `The branch ${displayText(name)}` : "The branch";
      return [violated(`${theBranch} is not guarded.`, { subject })];
    },
  };
}
