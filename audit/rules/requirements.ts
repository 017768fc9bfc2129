import { argumentInvalid, checkKeys } from "../../provider/errors/projectServiceError.js";
import { type Level, levels } from "./finding.js";
import type { Rule } from "./rule.js";

/** Options that every house rule has. */
export interface ScopeOptions {
  /** Ids of the environments that the rule checks. Default: every environment, or what the rule says. */
  environments?: readonly string[] | undefined;
  /** The level of a finding that violates the rule. Default `error`. */
  severity?: Level | undefined;
}

/** A condition that a value of a user must meet, with its text for messages. */
export interface Requirement {
  readonly text: string;
  readonly isMet: (value: unknown) => boolean;
}

/** The requirements of what every rule has. */
export const scopeRequirements: Readonly<Record<keyof ScopeOptions, Requirement>> = {
  environments: {
    text: "a list of at least one string. No string may be empty",
    isMet: isIdList,
  },
  severity: {
    text: `one of ${levels.join(", ")}`,
    isMet: (value) => (levels as readonly unknown[]).includes(value),
  },
};

/**
 * Checks values of a user. A value may be undefined, unless its key is required.
 *
 * @param owner what has the values, for messages.
 * @throws ProjectServiceError `ARGUMENT_INVALID` that names an unknown key, or a wrong value.
 */
export function checkValues(
  owner: string,
  values: unknown,
  requirements: Readonly<Record<string, Requirement>>,
  required: readonly string[] = [],
): void {
  const given = checkKeys(owner, values, Object.keys(requirements));
  for (const [key, { text, isMet }] of Object.entries(requirements)) {
    const value = given[key];
    if (isMet(value) || (value === undefined && !required.includes(key))) continue;
    throw argumentInvalid(`${owner}: ${key} must be ${text}.`);
  }
}

/**
 * Returns the part of a house rule that its options have, checked: those of every rule, and its own.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export function scopeOf(
  rule: string,
  options: ScopeOptions,
  own: Readonly<Record<string, Requirement>> = {},
): Pick<Rule, "environments" | "severity"> {
  checkValues(`The options of ${rule}`, options, { ...own, ...scopeRequirements });
  const { environments, severity = "error" } = options;
  return { environments, severity };
}

/** Whether a value is a list of at least one text, and none of them is empty. */
export function isIdList(value: unknown): value is readonly string[] {
  const isId = (id: unknown) => typeof id === "string" && id !== "";
  return Array.isArray(value) && value.length > 0 && value.every(isId);
}
