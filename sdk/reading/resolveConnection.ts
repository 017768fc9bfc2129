import * as pulumi from "@pulumi/pulumi";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { resolveSettings, type Settings } from "../../provider/settings/resolveSettings.js";
import {
  defaultNamespace,
  findInConfig,
  findInConnection,
  type FoundSettings,
} from "../../provider/settings/foundSettings.js";
import { isPending, isPlainObject } from "./checkArguments.js";

/** Returns the settings of a connection. Does not wait for an Output or a Promise, but throws for the rest. */
export function resolveConnection(connection: unknown = defaultNamespace): Settings {
  const found = findForProgram(connection);
  found.warnings.forEach(warnOnce);
  try {
    return resolveSettings(found);
  } catch (error) {
    throw error instanceof ProjectServiceError ? errorOfProgram(error) : error;
  }
}

function findForProgram(connection: unknown): FoundSettings {
  if (isPlainObject(connection)) return findInConnection(connection, isOrContainsPending);
  if (typeof connection !== "string" || !/^[^\s:]+$/.test(connection)) {
    throw argumentInvalid(
      'connection must be an object of settings, or a config namespace such as "project-service", without a colon.',
    );
  }
  // Pulumi exports this function, but its types do not contain it.
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  const values = Object.entries(pulumi.runtime.allConfig()).map(
    ([key, value]) => [key, { value, secret: isConfigSecret?.(key) !== false }] as const,
  );
  // Outside of Pulumi commands there is no config, except what a test has set.
  const hasConfig = pulumi.runtime.hasEngine() || values.length > 0;
  return findInConfig(connection, hasConfig ? Object.fromEntries(values) : undefined);
}

/** Whether a value, or a property of it, arrives later. */
function isOrContainsPending(value: unknown): boolean {
  return isPending(value) || (isPlainObject(value) && Object.values(value).some(isPending));
}

/** The warnings that a program has shown. It shows each of them once. */
const warningsOf = new WeakMap<object, Set<string>>();
/** The errors that a program has got, by their messages. */
const errorsOf = new WeakMap<object, Map<string, ProjectServiceError>>();

/**
 * Returns the error of this program with the same message. Pulumi prints each error object once, and
 * does not notice an error object that another program of the process has already reported. Outside of
 * programs nothing is kept.
 */
export function errorOfProgram(error: ProjectServiceError): ProjectServiceError {
  const program = pulumi.runtime.getStackResource();
  if (program === undefined) return error;
  const { code, message } = error;
  const errors = errorsOf.get(program) ?? new Map<string, ProjectServiceError>();
  const own = errors.get(message) ?? new ProjectServiceError(code, message, error);
  errorsOf.set(program, errors.set(message, own));
  return own;
}

/** Warns once in each run of a program. */
function warnOnce(warning: string): void {
  const program = pulumi.runtime.getStackResource() ?? warningsOf;
  const warnings = warningsOf.get(program) ?? new Set<string>();
  if (!warnings.has(warning)) void pulumi.log.warn(warning);
  warningsOf.set(program, warnings.add(warning));
}
