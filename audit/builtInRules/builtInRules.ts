import { checkKeys, defineRule } from "../rules/defineRule.js";
import { undecided, type Rule, violated } from "../rules/rule.js";
import { guardedProductionBranch } from "./guardedProductionBranch.js";
import { initializedEnvironments } from "./initializedEnvironments.js";
import { keptDeployments } from "./keptDeployments.js";
import { restrictedDatabases } from "./restrictedDatabases.js";
import { unsharedDatabases } from "./unsharedDatabases.js";
import { webrootLocation } from "./webrootLocation.js";

const factories = {
  guardedProductionBranch,
  restrictedDatabases,
  initializedEnvironments,
  keptDeployments,
  webrootLocation,
  unsharedDatabases,
};

type Factories = typeof factories;

/** Options of each rule by its key, with its `level`. `false` leaves the rule out. */
export type BuiltInRulesOptions = {
  [K in keyof Factories]?: Parameters<Factories[K]>[0] | false | undefined;
};

/**
 * Returns the built-in rules: all rules, except those that the options leave out.
 *
 * @param options options of each rule by its key, `false` to leave it out. Each rule takes a `level`:
 *   `error`, `warning` or `note`, default `error`. Default: every rule with its defaults.
 *   `pulumi-project-service audit --rules` reads the same object as JSON.
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown rules, and for unknown or invalid options.
 *
 * @example
 * const rules = builtInRules({
 *   keptDeployments: { minimum: 5, level: "warning" },
 *   webrootLocation: false,
 * });
 */
export function builtInRules(options: BuiltInRulesOptions = {}): Rule[] {
  checkKeys("The options of builtInRules", options, Object.keys(factories));
  return Object.entries(factories).flatMap(([key, create]) => {
    const ruleOptions = options[key as keyof Factories];
    return ruleOptions === false ? [] : [create(ruleOptions)];
  });
}

/** What {@link RulesFunction} gets. */
export const ruleTools = Object.freeze({ builtInRules, defineRule, violated, undecided });

/** The functions that the function of a rules file gets. */
export type RuleTools = typeof ruleTools;

/**
 * The default export of a rules file that is a module, for `--rules house-rules.mjs` of the audit. It gets
 * its tools as an argument, so the file needs no import and works with plain npx.
 */
export type RulesFunction = (tools: RuleTools) => readonly Rule[];
