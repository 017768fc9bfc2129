import type { ErrorObject } from "ajv";
import type { WireProject, WireProjectList, WireTokenReply } from "./schemas.js";

interface Validator<T> {
  (value: unknown): value is T;
  errors?: ErrorObject[] | null;
}

/** Generated from schemas.ts by tools/generateValidators.ts. */
interface Validators {
  isProject: Validator<WireProject>;
  isProjectList: Validator<WireProjectList>;
  isTokenReply: Validator<WireTokenReply>;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- exists only after the build
const validators = require("./validators.js") as Validators;

/** What is wrong with an answer: a place in it and a rule, never a value. */
export class InvalidAnswer extends Error {}

export const validateProject = checkWith(validators.isProject);
export const validateProjectList = checkWith(validators.isProjectList);
export const validateTokenReply = checkWith(validators.isTokenReply);

function checkWith<T>(validator: Validator<T>): (value: unknown) => T {
  return (value) => {
    if (validator(value)) return value;
    throw new InvalidAnswer(describe(validator.errors?.[0]));
  };
}

function describe(error: ErrorObject | undefined): string {
  if (error === undefined) return "it is not valid";
  const place = jsonPath(error.instancePath);
  if (error.keyword === "required") {
    const { missingProperty } = error.params as { missingProperty: string };
    return `${place === "" ? "" : `${place}.`}${missingProperty} is missing`;
  }
  const rule = rules[error.keyword] ?? error.message ?? "is not valid";
  return `${place === "" ? "the whole" : place} ${rule}`;
}

/** Where ajv's own words would say little. */
const rules: Readonly<Record<string, string>> = {
  pattern: "is empty or holds what it must not",
  minimum: "is too large a number",
  maximum: "is too large a number",
};

/** `/projectEnvironments/0/order` becomes `projectEnvironments[0].order`. */
function jsonPath(pointer: string): string {
  return pointer
    .replace(/\/(\d+)/g, "[$1]")
    .replace(/\//g, ".")
    .replace(/^\./, "");
}
