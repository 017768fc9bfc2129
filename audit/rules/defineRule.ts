import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { displayText } from "../../provider/errors/displayText.js";
import { levels } from "./finding.js";
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
  const problems = problemsIn(definition);
  if (problems.length === 0) {
    return Object.freeze({ ...definition, severity: definition.severity ?? "error" });
  }
  throw argumentInvalid(`The rule${nameIn(definition)} is wrong: ${problems.join(" ")}`);
}

const texts = ["description", "reason", "remedy"] as const;
const checks = ["checkEnvironment", "checkProject", "checkProjects"] as const;
const lists = ["environments", "defaultEnvironments"] as const;
const keys: readonly string[] = ["name", "severity", ...texts, ...lists, ...checks];

function problemsIn(definition: unknown): string[] {
  if (typeof definition !== "object" || definition === null) {
    return [`It must be an object with ${keys.join(", ")}.`];
  }
  const values = definition as Readonly<Record<string, unknown>>;
  const { name, severity = "error" } = values;
  const wrong = (isWrong: boolean, message: string): string[] => (isWrong ? [message] : []);
  return [
    ...wrong(!isName(name), "name must be lowercase words with hyphens, such as short-names."),
    ...wrong(
      !(levels as readonly unknown[]).includes(severity),
      `severity must be one of ${levels.join(", ")}.`,
    ),
    ...texts.flatMap((key) => wrong(!isLine(values[key]), `${key} must be a text on one line.`)),
    ...lists.flatMap((key) =>
      wrong(!isOptional(values[key], isIdList), `${key} must be a list of at least one id.`),
    ),
    ...checks.flatMap((key) =>
      wrong(!isOptional(values[key], isFunction), `${key} must be a function.`),
    ),
    ...wrong(
      checks.every((key) => values[key] === undefined),
      `It has no check. Add ${checks.join(", ")}.`,
    ),
    ...Object.keys(values)
      .filter((key) => !keys.includes(key))
      .map((key) => `${displayText(key)} is not a key of a rule. The keys are ${keys.join(", ")}.`),
  ];
}

function isOptional(value: unknown, isValid: (value: unknown) => boolean): boolean {
  return value === undefined || isValid(value);
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

/** Whether a value is a list of at least one text, and none of them is empty. */
export function isIdList(value: unknown): boolean {
  const isId = (id: unknown) => typeof id === "string" && id !== "";
  return Array.isArray(value) && value.length > 0 && value.every(isId);
}

function isName(value: unknown): boolean {
  return (
    typeof value === "string" && value.length <= 80 && /^[a-z][a-z\d]*(-[a-z\d]+)*$/.test(value)
  );
}

function isLine(value: unknown): boolean {
  const isText = typeof value === "string" && value.trim() !== "";
  return isText && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(value);
}

function nameIn(definition: unknown): string {
  const name = (definition as { name?: unknown } | null | undefined)?.name;
  return typeof name === "string" && name !== "" ? ` ${displayText(name)}` : "";
}
