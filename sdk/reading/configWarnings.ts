import * as pulumi from "@pulumi/pulumi";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import {
  plainTextWarning,
  type SettingKey,
  unknownKeyWarning,
} from "../../provider/settings/settingSources.js";

/** The warnings and errors of one run of a program, which must not be repeated. */
interface Messages {
  readonly warnings: Set<string>;
  readonly errors: Map<string, ProjectServiceError>;
}

const messagesByProgram = new WeakMap<object, Messages>();
const noProgram = {};

function messagesOfProgram(): Messages {
  const program = pulumi.runtime.getStackResource() ?? noProgram;
  const existing = messagesByProgram.get(program);
  if (existing !== undefined) return existing;
  const messages: Messages = { warnings: new Set(), errors: new Map() };
  messagesByProgram.set(program, messages);
  return messages;
}

/**
 * Returns the error of this program with the same message. Pulumi prints each error object once, and
 * does not notice an error object that another program of the process has already reported.
 */
export function errorOfProgram(error: ProjectServiceError): ProjectServiceError {
  const { errors } = messagesOfProgram();
  const own =
    errors.get(error.message) ?? new ProjectServiceError(error.code, error.message, error);
  errors.set(error.message, own);
  return own;
}

/** A secret in plain config works all the same. */
export function warnOfPlainText(namespace: string, key: SettingKey): void {
  const warning = plainTextWarning(namespace, key);
  // Pulumi exports this function, but its types do not contain it.
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  if (isConfigSecret?.(`${namespace}:${key}`) === false) warnOnce(warning);
}

export function warnOfUnknownKeys(namespace: string, keys: readonly string[]): void {
  for (const key of keys) warnOnce(unknownKeyWarning(namespace, key));
}

/** Warns once in each run of a program. */
export function warnOnce(warning: string | undefined): void {
  const { warnings } = messagesOfProgram();
  if (warning === undefined || warnings.has(warning)) return;
  warnings.add(warning);
  void pulumi.log.warn(warning);
}
