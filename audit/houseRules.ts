import type { Rule } from "./rule.js";
import { checkOptions } from "./ruleOptions.js";
import { guardedProductionBranch } from "./rules/guardedProductionBranch.js";
import { initializedEnvironments } from "./rules/initializedEnvironments.js";
import { keptDeployments } from "./rules/keptDeployments.js";
import { linkedAssets } from "./rules/linkedAssets.js";
import { recordedWithoutCredentials } from "./rules/recordedWithoutCredentials.js";
import { restrictedDatabases } from "./rules/restrictedDatabases.js";
import { webrootLocation } from "./rules/webrootLocation.js";

const factories = {
  guardedProductionBranch,
  restrictedDatabases,
  initializedEnvironments,
  keptDeployments,
  webrootLocation,
  linkedAssets,
  recordedWithoutCredentials,
};

type Factories = typeof factories;

/** Options of each rule by its name; `false` leaves the rule out. */
export type HouseRulesOptions = {
  [K in keyof Factories]?: Parameters<Factories[K]>[0] | false | undefined;
};

/**
 * All rules, those left out aside.
 *
 * @param options options of each rule by its name, `false` to leave it out. Default: every rule with
 *   its defaults. The same object, as JSON, is what `project-service audit --rules` reads.
 * @throws ProjectServiceError `ARGUMENT_INVALID` for rules and options that are unknown or wrong.
 *
 * @example
 * const rules = houseRules({ keptDeployments: { minimum: 5 }, linkedAssets: false });
 */
export function houseRules(options: HouseRulesOptions = {}): Rule[] {
  checkOptions("houseRules", options, Object.keys(factories));
  return Object.entries(factories).flatMap(([name, factory]) => {
    const ofRule = options[name as keyof Factories];
    return ofRule === false ? [] : [(factory as (options?: unknown) => Rule)(ofRule)];
  });
}
