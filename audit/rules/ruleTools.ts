import { defineRule } from "./defineRule.js";
import { houseRules } from "./houseRules.js";
import { indeterminate, violated } from "./problem.js";
import type { Rule } from "./rule.js";

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
 * The default export of a rules file that is a module: `project-service audit --rules house-rules.mjs`.
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
