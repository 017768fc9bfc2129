import * as pulumi from "@pulumi/pulumi";
import { ProjectServiceError } from "../provider/errors.js";
import { defaultNamespace, lookUpSettings, setCommand } from "../provider/lookUpSettings.js";
import {
  type FoundSetting,
  pending,
  type SettingKey,
  settingKeys,
  type Settings,
} from "../provider/settings.js";
import { shown } from "../provider/shown.js";
import { isOrHoldsPending, isPlainObject } from "./checkArguments.js";
import type { ReadOutputOptions } from "./readOptions.js";

type Connection = NonNullable<ReadOutputOptions["connection"]>;

/**
 * Resolves the settings of a connection, anew at each call: one process can run many programs.
 *
 * Values of a settings object that are Outputs or Promises are taken for present; what else is wrong
 * is said without them.
 */
export function resolveConnection(connection: Connection = defaultNamespace): Settings {
  const settings = typeof connection === "string" ? {} : checkedObject(connection);
  const namespace =
    typeof connection === "string" ? checkedNamespace(connection) : defaultNamespace;
  const config = new pulumi.Config(namespace);

  function given(key: SettingKey): FoundSetting | undefined {
    const value = settings[key];
    if (value === undefined) return undefined;
    return {
      value: isOrHoldsPending(value) ? pending : value,
      source: `connection.${key}`,
      remedy: `Change connection.${key} in the program.`,
    };
  }

  function configured(key: SettingKey): string | undefined {
    const value = config.get(key);
    if (value !== undefined && settingKeys[key].secret) warnIfPlain(`${namespace}:${key}`, key);
    return value;
  }

  try {
    return lookUpSettings({ namespace, given, configured, problems: unknownKeys(settings) });
  } catch (error) {
    throw error instanceof ProjectServiceError ? firstLikeIt(error) : error;
  }
}

function checkedObject(connection: unknown): Record<string, unknown> {
  if (isPlainObject(connection)) return connection;
  throw new ProjectServiceError(
    "ARGUMENT_INVALID",
    "connection must be a config namespace or an object of settings.",
  );
}

/**
 * @throws ProjectServiceError `ARGUMENT_INVALID` for what is no namespace.
 *
 * @internal
 */
export function checkedNamespace(namespace: string): string {
  if (/^[^\s:]+$/.test(namespace)) return namespace;
  throw new ProjectServiceError(
    "ARGUMENT_INVALID",
    'connection must be a config namespace such as "project-service", without a colon.',
  );
}

function unknownKeys(given: object): string[] {
  const known = Object.keys(settingKeys);
  return Object.keys(given)
    .filter((key) => !known.includes(key))
    .map((key) => `connection has no key ${shown(key)}. Its keys are ${known.join(", ")}.`);
}

interface ProgramNotes {
  readonly warnedOf: Set<string>;
  readonly errors: Map<string, ProjectServiceError>;
}

const notes = new WeakMap<object, ProgramNotes>();
const outsideOfPrograms = {};

/** What was said in this run of a program, and is not to be said again. */
function programNotes(): ProgramNotes {
  const program = pulumi.runtime.getStackResource() ?? outsideOfPrograms;
  const existing = notes.get(program);
  if (existing !== undefined) return existing;
  const created = { warnedOf: new Set<string>(), errors: new Map<string, ProjectServiceError>() };
  notes.set(program, created);
  return created;
}

/** A program that calls several functions fails with one error: Pulumi prints each error once. */
function firstLikeIt(error: ProjectServiceError): ProjectServiceError {
  const { errors } = programNotes();
  const first = errors.get(error.message) ?? error;
  errors.set(error.message, first);
  return first;
}

/** A secret in plain config works, and is said once in each run of a program. */
function warnIfPlain(fullKey: string, key: SettingKey): void {
  // Pulumi keeps the list of encrypted keys, but leaves the function out of its types.
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  const { warnedOf } = programNotes();
  if (isConfigSecret === undefined || isConfigSecret(fullKey) || warnedOf.has(fullKey)) return;
  warnedOf.add(fullKey);
  void pulumi.log.warn(
    `${fullKey} is stored in plain text in the stack's config. Encrypt it: ${setCommand(fullKey, key)}`,
  );
}
