import { isUtf8 } from "node:buffer";
import type { ErrorObject } from "ajv";
import { displayText } from "../errors/displayText.js";
import { InvalidResponseError } from "../errors/internalErrors.js";
import type { Project, SnapshotCredentials } from "../model/project.js";

/** A project in the JSON of the service, with the fields that code other than the mapping reads. */
export interface WireProject {
  readonly _id: string;
  readonly name: string;
  readonly projectEnvironments?: readonly { readonly environmentId: string }[] | null;
}

export interface WireProjectList {
  readonly _embedded?: { readonly projectResources: readonly object[] };
  readonly _links?: unknown;
  readonly page?: unknown;
}

interface WireTokenResponse {
  readonly access_token: string;
  readonly expires_in?: number | null;
  readonly refresh_token?: string | null;
  readonly refresh_expires_in?: number | null;
}

interface Validator<T> {
  (value: unknown): value is T;
  errors?: ErrorObject[] | null;
}

/** Generated from schemas.ts and schemas/pipeline-outputs.schema.json by tools/generateValidators.ts. */
interface Validators {
  isProject: Validator<WireProject>;
  isProjectList: Validator<WireProjectList>;
  isTokenResponse: Validator<WireTokenResponse>;
  isPipelineProject: Validator<Project>;
  isPipelineCredentials: Validator<SnapshotCredentials>;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- exists only after the build
const validators = require("./validators.js") as Validators;

export const validateProject = checkWith(validators.isProject);
export const validateProjectList = checkWith(validators.isProjectList);
export const validateTokenResponse = checkWith(validators.isTokenResponse);

/** Accepts the project of pipeline outputs. The subject of a message about the whole is `the output`. */
export const validatePipelineProject = checkWith(validators.isPipelineProject, "the output");
/** Accepts the credentials of pipeline outputs. A message contains no credential. */
export const validatePipelineCredentials = checkWith(
  validators.isPipelineCredentials,
  "the output",
);

function checkWith<T>(validator: Validator<T>, whole = "the response"): (value: unknown) => T {
  return (value) => {
    if (validator(value)) return value;
    throw new InvalidResponseError(describe(validator.errors?.[0], whole));
  };
}

function describe(error: ErrorObject | undefined, whole: string): string {
  if (error === undefined) return `${whole} is not valid`;
  const place = jsonPath(error.instancePath);
  if (error.keyword === "required") {
    const { missingProperty } = error.params as { missingProperty: string };
    return `${place === "" ? "" : `${place}.`}${missingProperty} is missing`;
  }
  const { type } = error.params as { type?: unknown };
  const [expected] = [type].flat(); // the other one is null
  const rule = types[String(expected)] ?? rules[error.keyword] ?? error.message ?? "is not valid";
  return `${place === "" ? whole : place} ${rule}`;
}

const types: Readonly<Record<string, string>> = {
  object: "must be an object",
  array: "must be a list",
  string: "must be a string",
  integer: "must be an integer",
  number: "must be a number",
  boolean: "must be true or false",
};

/** Replaces messages of ajv that would not help. */
const rules: Readonly<Record<string, string>> = {
  not: "contains characters that are not allowed",
  pattern: "is empty or contains characters that are not allowed",
  minimum: "is too small a number",
  maximum: "is too large a number",
};

/** `/projectEnvironments/0/order` becomes `projectEnvironments[0].order`. */
function jsonPath(pointer: string): string {
  const path = pointer
    .replace(/\/(\d+)(?=\/|$)/g, "[$1]")
    .replace(/\//g, ".")
    .replace(/^\./, "")
    .replace(/~1/g, "/")
    .replace(/~0/g, "~");
  return displayText(path, 200);
}

const byteOrderMark = "\uFEFF";

/** Parses the body of a response. V8's own error messages quote the text, so they are dropped. */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw new InvalidResponseError("it is empty");
  if (!isUtf8(body)) throw new InvalidResponseError("it is not UTF-8 text");
  const text = body.toString("utf8");
  try {
    return JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text);
  } catch {
    throw new InvalidResponseError("it is not JSON");
  }
}
