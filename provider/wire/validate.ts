import { isUtf8 } from "node:buffer";
import type { ErrorObject } from "ajv";
import { didYouMean, displayText } from "../errors/displayText.js";
import { InvalidResponseError } from "../errors/requestFailure.js";
import { argumentInvalid } from "../errors/projectServiceError.js";
import type { Project, ProjectCredentials } from "../model/project.js";
import type { argumentSchemas } from "./argumentSchemas.js";
import type { responseSchemas } from "./responseSchemas.js";

/** A project in the JSON of the service, with the fields that code reads by name. */
export interface WireProject {
  readonly _id: string;
  readonly projectEnvironments?: readonly WireEnvironment[] | null;
}

interface WireEnvironment {
  readonly environmentId: string;
  readonly projectEnvironmentDatabases?: {
    readonly databases?: readonly { username?: string | null; password?: string | null }[] | null;
  } | null;
}

export interface WireProjectList {
  readonly _embedded?: { readonly projectResources: readonly object[] };
  readonly _links?: unknown;
  readonly page?: unknown;
}

interface Validator {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

type ArgumentName = keyof typeof argumentSchemas | "isAcceptedFile";
type ValidatorName = ArgumentName | keyof typeof responseSchemas | "isPipelineOutputs";

/** Generated from argumentSchemas.ts, responseSchemas.ts and two of schemas/ by tools/generateValidators.ts. */
function validatorOf(name: ValidatorName): Validator {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- exists only after the build, loaded at the first check
  const validators = require("./validators.js") as Record<ValidatorName, Validator>;
  return validators[name];
}

export const validateProject = checkWith<WireProject>("isProject");
export const validateProjectList = checkWith<WireProjectList>("isProjectList");

/** Accepts pipeline outputs. A message contains no credential. */
export const validatePipelineOutputs = checkWith<{
  project: Project;
  credentials?: ProjectCredentials;
}>("isPipelineOutputs");

function checkWith<T>(name: ValidatorName): (value: unknown) => T {
  return (value) => {
    const problem = validationProblem(name, value, "it", (path) => path);
    if (problem === undefined) return value as T;
    throw new InvalidResponseError(problem);
  };
}

/**
 * Accepts an argument of a user, or the content of a file.
 *
 * @param whole what the value is, for messages: `The argument of getProject`.
 * @param at names a place in the value: `projectId of getProject`.
 * @throws ProjectServiceError `ARGUMENT_INVALID`. The message contains keys and words, no other value.
 */
export function checkArgument<T>(
  name: ArgumentName,
  value: unknown,
  whole: string,
  at: (path: string) => string,
): T {
  const problem = validationProblem(name, value, whole, at);
  if (problem === undefined) return value as T;
  throw argumentInvalid(`${problem}.`);
}

/** Returns a sentence about what is wrong with a value, without a period. */
function validationProblem(
  name: ValidatorName,
  value: unknown,
  whole: string,
  at: (path: string) => string,
): string | undefined {
  const validator = validatorOf(name);
  if (validator(value)) return undefined;
  const error = validator.errors![0]!;
  const keys = error.instancePath
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const path = jsonPath(keys);
  const place = path === "" ? whole : at(path);
  const found = keys.reduce((node, key) => (node as Record<string, unknown>)[key], value);
  switch (error.keyword) {
    case "required": {
      const { missingProperty: missing } = error.params as { missingProperty: string };
      const rule = Object.hasOwn(found as object, missing) ? "is undefined" : "is missing";
      return `${at(path === "" ? missing : `${path}.${missing}`)} ${rule}`;
    }
    case "enum":
      return wordProblem(error, place, found, keys.at(-1) === "key" ? "keys" : "values");
    default:
      return `${place} ${brokenRule(error)}`;
  }
}

/** Says which words there are. Only arguments of users have a set of words, so this shows no text of the service. */
function wordProblem(
  { params, propertyName }: ErrorObject,
  place: string,
  found: unknown,
  noun: string,
): string {
  const { allowedValues } = params as { allowedValues: unknown[] };
  const known = allowedValues.map(String);
  if (propertyName !== undefined) {
    const subject = place.replace(/^The /, "the ");
    return `Unknown key ${displayText(propertyName)} in ${subject}. ${didYouMean(propertyName, known, "keys")}`;
  }
  return typeof found === "string" || Number.isFinite(found)
    ? `${place} cannot be "${displayText(String(found))}". ${didYouMean(String(found), known, noun)}`
    : `${place} must be a string`;
}

function brokenRule({ keyword, params, message }: ErrorObject): string | undefined {
  const { type, pattern } = params as { type?: string | string[]; pattern?: string };
  // The last type of a list is null.
  const expected = Array.isArray(type) ? type.slice(0, -1).join() : type;
  const shown = message?.replace("<=", "at most").replace(">=", "at least");
  return types[String(expected)] ?? rules[String(pattern)] ?? rules[keyword] ?? shown;
}

const types: Readonly<Record<string, string>> = {
  object: "must be an object",
  array: "must be a list",
  string: "must be a string",
  integer: "must be an integer",
  boolean: "must be true or false",
  "string,number,boolean": "must be a string, a finite number or a boolean",
};

/** Replaces messages of ajv that would not help, by pattern or keyword. */
const rules: Readonly<Record<string, string>> = {
  "[^]": "is empty",
  "\\S": "is blank",
  "^[a-zA-Z][a-zA-Z\\d+.-]*$":
    'must be the scheme of a URL, such as "mysql", without a colon and slashes',
  "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$": "must be a day such as 2027-06-30",
  pattern: "is empty or contains characters that are not allowed",
  minItems: "must not be empty",
};

/** `projectEnvironments`, `0`, `order` becomes `projectEnvironments[0].order`. */
export function jsonPath(keys: readonly string[]): string {
  const path = keys
    .map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`))
    .join("")
    .replace(/^\./, "");
  return displayText(path, 200);
}

/** Parses the body of a response. The error messages of V8 quote the text since Node 20, so they are dropped. */
export function parseJson(body: Buffer): unknown {
  try {
    // JSON.parse refuses a byte order mark, which RFC 8259 (8.1) lets a parser ignore.
    if (isUtf8(body)) return JSON.parse(body.toString("utf8").replace(/^\ufeff/, ""));
  } catch {
    // The text is not JSON.
  }
  throw new InvalidResponseError("it is not JSON in UTF-8");
}
