import { displayCount } from "../../provider/errors/displayText.js";
import { checkOptions, type Requirement, type RuleOptions } from "../rules/defineRule.js";
import { type Rule, violated } from "../rules/rule.js";

interface KeptDeploymentsOptions extends RuleOptions {
  /** The minimum number of deployments to keep. Default 3. */
  minimum?: number | undefined;
}

const count: Requirement = {
  text: "a whole number, 1 or more",
  isMet: (value) => Number.isSafeInteger(value) && (value as number) >= 1,
};

/** Requires that an environment keeps enough deployments. A project without code need not keep any. */
export function keptDeployments(options: KeptDeploymentsOptions = {}): Rule {
  const common = checkOptions("keptDeployments", options, { minimum: count });
  const { minimum = 3 } = options;
  return {
    name: "kept-deployments",
    ...common,
    description: `Every environment keeps at least ${displayCount(minimum, "deployment")}.`,
    reason: "A rollback is only possible to a deployment that the environment still keeps.",
    remedy: `Set deploymentsToKeep to ${minimum} or more in the Project Service.`,
    checkEnvironment: (environment, project) => {
      const keepsNone = !("deploymentsToKeep" in environment) || !environment.deploymentsToKeep;
      if (keepsNone && project.hasCode === false) return [];
      const { deploymentsToKeep: kept } = environment;
      if (typeof kept !== "number" || kept >= minimum) return [];
      const subject = `deploymentsToKeep ${kept}`;
      return [violated(`The environment keeps ${displayCount(kept, "deployment")}.`, { subject })];
    },
  };
}
