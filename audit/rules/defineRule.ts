import { didYouMean, displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { type Level, levels } from "./finding.js";
import type { Rule, RuleDefinition } from "./rule.js";

/** Options that every built-in rule has. A rule refuses unknown and wrong ones: `ARGUMENT_INVALID`. */
export interface RuleOptions {
  /** Ids of the environments that the rule checks. Default: every environment, or what the rule says. */
  environments?: readonly string[] | undefined;
  /** The level of a finding that violates the rule. Default `error`. */
  level?: Level | undefined;
}

/**
 * Creates a rule of your own, for `auditProject`, for a policy pack or for the rules file of the audit.
 *
 * The checks get projects without credentials, and cannot change them. {@link Rule} says what happens if
 * a field is missing.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if a text or the level is wrong, or if there is no check.
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
  const rule: Rule = { ...definition, level: definition.level ?? "error" };
  const { name, level, description, reason, remedy, environments } = rule;
  const { checkEnvironment, checkProject, checkProjects } = rule;
  const owner = `The rule ${displayText(String(name))}`;
  if (!/^[a-z][a-z\d]*(-[a-z\d]+)*$/.test(String(name))) {
    throw argumentInvalid(
      `${owner}: name must be lowercase words with hyphens, such as short-names.`,
    );
  }
  if (!isLevel.isMet(level)) throw argumentInvalid(`${owner}: level must be ${isLevel.text}.`);
  if (environments !== undefined && !isIdList.isMet(environments)) {
    throw argumentInvalid(`${owner}: environments must be ${isIdList.text}.`);
  }
  if (!(checkEnvironment ?? checkProject ?? checkProjects)) {
    throw argumentInvalid(
      `${owner} has no check. Add checkEnvironment, checkProject or checkProjects.`,
    );
  }
  if (![description, reason, remedy].every((text) => typeof text === "string")) {
    throw argumentInvalid(`${owner}: description, reason and remedy must be strings.`);
  }
  return rule;
}

/** A condition that the value of an option must meet. */
export interface Requirement {
  /** The condition, after `must be`. */
  readonly text: string;
  /** Whether a value meets it. */
  readonly isMet: (value: unknown) => boolean;
}

const isLevel: Requirement = {
  text: `one of ${levels.join(", ")}`,
  isMet: (value) => (levels as readonly unknown[]).includes(value),
};

const isIdList: Requirement = {
  text: "a list of one or more strings that are not empty",
  isMet: isTextList,
};

/** Whether a value is a list of at least one text, and none of them is empty. */
export function isTextList(value: unknown): value is readonly string[] {
  const isText = (text: unknown) => typeof text === "string" && text !== "";
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}

/**
 * Checks the options of a built-in rule, and returns those that every rule has.
 *
 * @param own the requirements for the other options.
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export function checkOptions(
  rule: string,
  options: RuleOptions,
  own: Readonly<Record<string, Requirement>> = {},
): Pick<Rule, "environments" | "level"> {
  const requirements = { ...own, environments: isIdList, level: isLevel };
  checkKeys(`The options of ${rule}`, options, Object.keys(requirements));
  for (const [key, { text, isMet }] of Object.entries(requirements)) {
    const value = (options as Readonly<Record<string, unknown>>)[key];
    if (value === undefined || isMet(value)) continue;
    throw argumentInvalid(`The options of ${rule}: ${key} must be ${text}.`);
  }
  const { environments, level = "error" } = options;
  return { environments, level };
}

/** Accepts an object with `known` keys only, so that a typo cannot change a result silently. */
export function checkKeys(what: string, value: unknown, known: readonly string[]): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw argumentInvalid(`${what} must be an object.`);
  }
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const advice = didYouMean(unknown, known, "keys");
  const where = what.replace(/^The /, "the ");
  throw argumentInvalid(`Unknown key ${displayText(unknown)} in ${where}. ${advice}.`);
}
