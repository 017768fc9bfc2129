import { checkKeys } from "../../provider/errors/projectServiceError.js";
import { defineRule } from "../rules/defineRule.js";
import type { HouseRule } from "../rules/houseRule.js";
import { indeterminate, violated } from "../rules/problem.js";
import type { Rule } from "../rules/rule.js";
import { guardedProductionBranch } from "./guardedProductionBranch.js";
import { initializedEnvironments } from "./initializedEnvironments.js";
import { keptDeployments } from "./keptDeployments.js";
import { linkedAssets } from "./linkedAssets.js";
import { restrictedDatabases } from "./restrictedDatabases.js";
import { unsharedDatabases } from "./unsharedDatabases.js";
import { webrootLocation } from "./webrootLocation.js";

const factories = {
  guardedProductionBranch,
  restrictedDatabases,
  initializedEnvironments,
  keptDeployments,
  webrootLocation,
  linkedAssets,
  unsharedDatabases,
};

type Factories = typeof factories;

/** Options of each rule by its key, with its `severity`. `false` leaves the rule out. */
export type HouseRulesOptions = {
  [K in keyof Factories]?: Parameters<Factories[K]>[0] | false | undefined;
};

/**
 * Returns the house rules: all rules, except those that the options leave out.
 *
 * @param options options of each rule by its key, `false` to leave it out. Each rule takes a `severity`:
 *   `error`, `warning` or `note`, default `error`. Default: every rule with its defaults.
 *   `pulumi-project-service audit --rules` reads the same object as JSON.
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown rules, and for unknown or invalid options.
 *
 * @example
 * const rules = houseRules({
 *   keptDeployments: { minimum: 5, severity: "warning" },
 *   linkedAssets: false,
 * });
 */
export function houseRules(options: HouseRulesOptions = {}): HouseRule[] {
  checkKeys("The options of houseRules", options, Object.keys(factories));
  return Object.entries(factories).flatMap(([name, factory]) => {
    const ruleOptions = options[name as keyof Factories];
    return ruleOptions === false
      ? []
      : [(factory as (options?: unknown) => HouseRule)(ruleOptions)];
  });
}

/** The functions that the function of a rules file gets. */
export interface RuleTools {
  /** Returns the house rules. */
  readonly houseRules: typeof houseRules;
  /** Creates a rule of your own. */
  readonly defineRule: typeof defineRule;
  /** Returns a problem that violates the rule. */
  readonly violated: typeof violated;
  /** Returns the problem of a rule that cannot decide. */
  readonly indeterminate: typeof indeterminate;
}

/**
 * The default export of a rules file that is a module: `pulumi-project-service audit --rules house-rules.mjs`.
 * It gets its tools as an argument, so the file needs no import and works with plain npx.
 */
export type RulesFunction = (tools: RuleTools) => readonly Rule[] | Promise<readonly Rule[]>;

/** The functions that the function of a rules file gets. */
export const ruleTools: RuleTools = Object.freeze({
  houseRules,
  defineRule,
  violated,
  indeterminate,
});
