import { didYouMean, displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { type Level, levels } from "./finding.js";
import type { Rule, RuleDefinition } from "./rule.js";

/** Options that every house rule has. A rule refuses unknown and wrong ones: `ARGUMENT_INVALID`. */
export interface ScopeOptions {
  /** Ids of the environments that the rule checks. Default: every environment, or what the rule says. */
  environments?: readonly string[] | undefined;
  /** The level of a finding that violates the rule. Default `error`. */
  severity?: Level | undefined;
}

/** A condition that a value of a user must meet, with its text for messages. */
export interface Requirement {
  /** The condition, after `must be`. */
  readonly text: string;
  /** Whether a value meets it. */
  readonly isMet: (value: unknown) => boolean;
}

const scopeRequirements: Readonly<Record<keyof ScopeOptions, Requirement>> = {
  environments: {
    text: "a list of one or more strings that are not empty",
    isMet: isIdList,
  },
  severity: {
    text: `one of ${levels.join(", ")}`,
    isMet: (value) => (levels as readonly unknown[]).includes(value),
  },
};

const oneLine: Requirement = {
  text: "a text on one line",
  isMet: (value) =>
    typeof value === "string" &&
    value.trim() !== "" &&
    !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(value),
};

const aFunction: Requirement = {
  text: "a function",
  isMet: (value) => typeof value === "function",
};

const ruleRequirements: Readonly<Record<keyof Rule, Requirement>> = {
  name: {
    text: "lowercase words with hyphens, such as short-names",
    isMet: (value) =>
      typeof value === "string" && value.length <= 80 && /^[a-z][a-z\d]*(-[a-z\d]+)*$/.test(value),
  },
  description: oneLine,
  reason: oneLine,
  remedy: oneLine,
  ...scopeRequirements,
  defaultEnvironments: scopeRequirements.environments,
  checkEnvironment: aFunction,
  checkProject: aFunction,
  checkProjects: aFunction,
};

/**
 * Creates a rule of your own, for `checkProject`, for a policy pack or for the rules file of the audit.
 *
 * The checks get projects without credentials, and cannot change them. {@link Rule} says what happens if
 * a field is missing.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if a text or a check is missing or wrong, or if the
 *   definition has unknown keys.
 *
 * @example
 * const taggedReleases = defineRule({
 *   name: "tagged-releases",
 *   description: "The environment live runs a release.",
 *   reason: "Only releases pass the acceptance tests.",
 *   remedy: "Deploy a tag such as v1.2.3.",
 *   environments: ["live"],
 *   checkEnvironment: ({ currentTag }) =>
 *     /^v\d/.test(currentTag ?? "")
 *       ? []
 *       : [violated(`The tag ${currentTag} is not a release.`, { subject: `tag ${currentTag}` })],
 * });
 */
export function defineRule(definition: RuleDefinition): Rule {
  const { name } = (definition ?? {}) as { readonly name?: unknown };
  const owner =
    typeof name === "string" && name !== "" ? `The rule ${displayText(name)}` : "A rule";
  const required = ["name", "description", "reason", "remedy"];
  const rule = checkValues(owner, definition, ruleRequirements, required) as RuleDefinition;
  const { severity = "error", checkEnvironment, checkProject, checkProjects } = rule;
  if (checkEnvironment ?? checkProject ?? checkProjects) return { ...rule, severity };
  throw argumentInvalid(
    `${owner} has no check. Add checkEnvironment, checkProject or checkProjects.`,
  );
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

/**
 * Returns the values of a user, checked, also those that an object inherits from its class. A value may be undefined,
 * unless its key is required.
 */
function checkValues(
  owner: string,
  values: unknown,
  requirements: Readonly<Record<string, Requirement>>,
  required: readonly string[] = [],
): object {
  const given = checkKeys(owner, values, Object.keys(requirements));
  const checked = Object.entries(requirements).map(([key, { text, isMet }]) => {
    const value = given[key];
    if (isMet(value) || (value === undefined && !required.includes(key))) return [key, value];
    throw argumentInvalid(`${owner}: ${key} must be ${text}.`);
  });
  return Object.fromEntries(checked) as object;
}

/**
 * Accepts an object with `known` keys only, so that a typo cannot change a result silently. Returns it.
 *
 * @param what names the object in the message of the error, which is `ARGUMENT_INVALID`.
 */
export function checkKeys(
  what: string,
  value: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw argumentInvalid(`${what} must be an object.`);
  }
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return value as Readonly<Record<string, unknown>>;
  const advice = didYouMean(unknown, known, "keys");
  const where = what.replace(/^The /, "the ");
  throw argumentInvalid(`Unknown key ${displayText(unknown)} in ${where}. ${advice}.`);
}

/** Whether a value is a list of at least one text, and none of them is empty. */
export function isIdList(value: unknown): value is readonly string[] {
  const isId = (id: unknown) => typeof id === "string" && id !== "";
  return Array.isArray(value) && value.length > 0 && value.every(isId);
}
