import * as pulumi from "@pulumi/pulumi";
import { ProjectServiceError } from "../provider/errors.js";
import { resolveSettings, type Settings } from "../provider/resolveSettings.js";
import {
  connectionSource,
  defaultNamespace,
  plainTextWarning,
  type SettingKey,
  settingKeys,
  settingSources,
} from "../provider/settingSources.js";
import { isOrHoldsPending, isPlainObject } from "./checkArguments.js";
import type { ReadOutputOptions } from "./readOptions.js";

type Connection = NonNullable<ReadOutputOptions["connection"]>;

/**
 * A connection with properties of its own alone. Pulumi copies no others when it waits for Outputs:
 * what an object inherits, such as the getters of a class, would be lost on the way, and be looked up
 * elsewhere.
 */
export function plainConnection(connection: Connection | undefined): Connection | undefined {
  if (!isPlainObject(connection)) return connection;
  const keys = new Set([...Object.keys(settingKeys), ...Object.keys(connection)]);
  return Object.fromEntries(
    [...keys]
      .filter((key) => key in connection)
      .map((key) => [key, (connection as Record<string, unknown>)[key]]),
  );
}

/**
 * Resolves the settings of a connection, anew at each call: one process can run many programs.
 *
 * Outputs and Promises in a settings object count as present. Everything else that is wrong is said
 * without waiting for them.
 */
export function resolveConnection(connection: Connection = defaultNamespace): Settings {
  const isNamespace = typeof connection === "string";
  const namespace = isNamespace ? checkedNamespace(connection) : defaultNamespace;
  const source = isNamespace
    ? undefined
    : connectionSource(checkedObject(plainConnection(connection)), isOrHoldsPending);
  const config = new pulumi.Config(namespace);

  function configured(key: SettingKey): string | undefined {
    const value = config.get(key);
    if (value !== undefined) warnIfPlain(namespace, key);
    return value;
  }

  try {
    return resolveSettings(settingSources(namespace, configured, source));
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
function warnIfPlain(namespace: string, key: SettingKey): void {
  const warning = plainTextWarning(namespace, key);
  if (warning === undefined) return;
  // Pulumi keeps the list of encrypted keys, but leaves the function out of its types.
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  const { warnedOf } = programNotes();
  const isPlain = isConfigSecret?.(`${namespace}:${key}`) === false;
  if (!isPlain || warnedOf.has(warning)) return;
  warnedOf.add(warning);
  void pulumi.log.warn(warning);
}
