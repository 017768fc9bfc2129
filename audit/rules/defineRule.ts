import { displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { checkValues, type Requirement, scopeRequirements } from "./requirements.js";
import type { Rule, RuleDefinition } from "./rule.js";

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
  checkValues(owner, definition, requirements, ["name", "description", "reason", "remedy"]);
  const { severity = "error", checkEnvironment, checkProject, checkProjects } = definition;
  if (checkEnvironment ?? checkProject ?? checkProjects) return { ...definition, severity };
  throw argumentInvalid(
    `${owner} has no check. Add checkEnvironment, checkProject or checkProjects.`,
  );
}

const line: Requirement = {
  text: "a text on one line",
  isMet: (value) =>
    typeof value === "string" &&
    value.trim() !== "" &&
    !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(value),
};

const check: Requirement = {
  text: "a function",
  isMet: (value) => typeof value === "function",
};

const requirements: Readonly<Record<keyof Rule, Requirement>> = {
  name: {
    text: "lowercase words with hyphens, such as short-names",
    isMet: (value) =>
      typeof value === "string" && value.length <= 80 && /^[a-z][a-z\d]*(-[a-z\d]+)*$/.test(value),
  },
  description: line,
  reason: line,
  remedy: line,
  ...scopeRequirements,
  defaultEnvironments: scopeRequirements.environments,
  checkEnvironment: check,
  checkProject: check,
  checkProjects: check,
};
