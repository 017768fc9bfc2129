import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { displayText } from "../../provider/errors/displayText.js";
import { createRule } from "./createRule.js";
import { levels } from "./finding.js";
import type { Rule, RuleDefinition } from "./rule.js";

/**
 * Creates a rule of your own, for `checkProject`, for a policy pack or for the rules file of the audit.
 *
 * The checks get a project without credentials, and must not change it. Every field except the ids and
 * the name may be missing, because the service may omit it.
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
 *   checkEnvironment: ({ environmentId, currentTag }) => {
 *     if (environmentId !== "live") return [];
 *     if (!currentTag) return [indeterminate("The service omits the tag.", { subject: "tag" })];
 *     return /^v\d/.test(currentTag)
 *       ? []
 *       : [violated(`The tag ${currentTag} is not a release.`, { subject: `tag ${currentTag}` })];
 *   },
 * });
 */
export function defineRule(definition: RuleDefinition): Rule {
  const problems = problemsIn(definition);
  if (problems.length === 0) return createRule(definition);
  throw argumentInvalid(`defineRule failed${nameIn(definition)}: ${problems.join(" ")}`);
}

const texts = ["description", "reason", "remedy"] as const;
const checks = ["checkProject", "checkEnvironment", "checkProjects"] as const;
const keys: readonly string[] = ["name", "severity", ...texts, ...checks];

function problemsIn(definition: unknown): string[] {
  if (typeof definition !== "object" || definition === null) {
    return [`The definition must be an object with ${keys.join(", ")}.`];
  }
  const values = definition as Record<string, unknown>;
  const { severity = "error" } = values;
  const unknownKeys = Object.keys(values).filter((key) => !keys.includes(key));
  return [
    ...wrongTexts({ ...values, severity }),
    ...checks
      .filter((key) => values[key] !== undefined && typeof values[key] !== "function")
      .map((key) => `${key} must be a function.`),
    ...(checks.every((key) => values[key] === undefined)
      ? ["The rule has no check. Add checkProject, checkEnvironment or checkProjects."]
      : []),
    ...unknownKeys.map(
      (key) => `${displayText(key)} is not a key of a rule. The keys are ${keys.join(", ")}.`,
    ),
  ];
}

/** Returns what is wrong with the name, the severity and the texts of a rule, as sentences. */
export function wrongTexts(rule: { readonly [K in keyof Rule]?: unknown }): string[] {
  return [
    ...(isName(rule.name)
      ? []
      : ["name must be lowercase words with hyphens, such as restricted-databases."]),
    ...((levels as readonly unknown[]).includes(rule.severity)
      ? []
      : [`severity must be one of ${levels.join(", ")}.`]),
    ...texts
      .filter((key) => !isSentence(rule[key]))
      .map((key) => `${key} must be a text on one line.`),
  ];
}

function isName(value: unknown): boolean {
  return (
    typeof value === "string" && value.length <= 80 && /^[a-z][a-z\d]*(-[a-z\d]+)*$/.test(value)
  );
}

function isSentence(value: unknown): boolean {
  const isText = typeof value === "string" && value.trim() !== "";
  return isText && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(value);
}

function nameIn(definition: unknown): string {
  const name = (definition as { name?: unknown } | null | undefined)?.name;
  return typeof name === "string" && name !== "" ? ` for the rule ${displayText(name)}` : "";
}
