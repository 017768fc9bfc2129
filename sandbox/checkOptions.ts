import { checkProjects } from "./projects/checkProjects.js";
import type { SandboxOptions } from "./sandbox.js";

/**
 * Checks that a value is an object and has no other keys.
 *
 * @param name the function that gets the object, for the message.
 * @param example an argument for the message.
 * @throws TypeError
 */
export function checkKeys(
  value: unknown,
  keys: readonly string[],
  name: string,
  example: string,
): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(`${name} needs an object, such as ${name}(${example}).`);
  }
  const unknownKey = Object.keys(value).find((key) => !keys.includes(key));
  if (unknownKey === undefined) return;
  throw new TypeError(`${name} has no option ${unknownKey}. Its options are ${keys.join(", ")}.`);
}

/**
 * Checks the options of `startSandbox`. A message never contains a text of the options, because some
 * of them are secret.
 *
 * @throws TypeError that names the option and says what to pass.
 */
export function checkOptions(options: SandboxOptions): void {
  checkKeys(options, Object.keys(rules), "startSandbox", "{ pageSize: 5 }");
  for (const [key, rule] of Object.entries(rules)) {
    const value: unknown = options[key as keyof SandboxOptions];
    const problem = value === undefined ? undefined : rule(value);
    if (problem !== undefined) throw new TypeError(`${key} of startSandbox must be ${problem}.`);
  }
}

/** Returns nothing if the value is valid. Otherwise returns what the value must be. */
type Rule = (value: unknown) => string | undefined;

const text: Rule = (value) =>
  typeof value === "string" && value !== "" ? undefined : "a string that is not empty";

function number(description: string, isInRange: (value: number) => boolean): Rule {
  return (value) => {
    if (typeof value !== "number") return `${description}, not a value of type ${typeof value}`;
    return isInRange(value) ? undefined : `${description}, not ${value}`;
  };
}

const lifetime = number(
  "a number of seconds from 0",
  (value) => Number.isFinite(value) && value >= 0,
);

const rules: Record<keyof SandboxOptions, Rule> = {
  port: number(
    "a whole number from 0 to 65535",
    (value) => Number.isInteger(value) && value >= 0 && value <= 65_535,
  ),
  realm: text,
  clientId: text,
  clientSecret: text,
  username: text,
  password: text,
  tokenLifetimeSeconds: lifetime,
  refreshTokenLifetimeSeconds: lifetime,
  projects(value) {
    checkProjects(value, "projects");
    return undefined;
  },
  pageSize: number("a whole number from 1", (value) => Number.isInteger(value) && value >= 1),
  acceptsToken: (value) =>
    typeof value === "function"
      ? undefined
      : "a function that gets an access token and returns true or false",
};
