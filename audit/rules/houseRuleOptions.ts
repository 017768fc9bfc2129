import { argumentInvalid, checkKeys } from "../../provider/errors/projectServiceError.js";
import { isIdList } from "./defineRule.js";
import { type Level, levels } from "./finding.js";

/** Options that every house rule has. */
export interface ScopeOptions {
  /** Ids of the environments that the rule checks. Default: every environment, or what the rule says. */
  environments?: readonly string[] | undefined;
  /** The level of a finding that violates the rule. Default `error`. */
  severity?: Level | undefined;
}

/** What the value of an option must be. */
export interface OptionCheck {
  readonly requirement: string;
  readonly isValid: (value: unknown) => boolean;
}

const common: Readonly<Record<keyof ScopeOptions, OptionCheck>> = {
  environments: {
    requirement: "a list of at least one string. No string may be empty",
    isValid: isIdList,
  },
  severity: {
    requirement: `one of ${levels.join(", ")}`,
    isValid: (value) => (levels as readonly unknown[]).includes(value),
  },
};

/**
 * Checks the options of a house rule.
 *
 * @param own the options that only this rule has.
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export function checkOptions(
  rule: string,
  options: object,
  own: Readonly<Record<string, OptionCheck>> = {},
): void {
  const known = { ...common, ...own };
  const given = checkKeys(`The options of ${rule}`, options, Object.keys(known).sort());
  for (const [key, { requirement, isValid }] of Object.entries(known)) {
    if (given[key] === undefined || isValid(given[key])) continue;
    throw argumentInvalid(`The option ${key} of ${rule} must be ${requirement}.`);
  }
}
