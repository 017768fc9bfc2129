import * as pulumi from "@pulumi/pulumi";
import type { ConnectionSettings } from "../provider/connectionSettings.js";
import { ProjectServiceError } from "../provider/errors.js";
import {
  type FoundSetting,
  resolveSettings,
  type SettingKey,
  settingKeys,
  type Settings,
} from "../provider/settings.js";

/** The config namespace that is read unless a program names another. */
export const defaultNamespace = "project-service";

/**
 * Resolves the settings of a connection, anew at each call: one process can run many programs.
 *
 * Order: settings object, stack config, environment, default. The environment stands in for the
 * default namespace only, lest the password of one service be sent to another.
 */
export function resolveConnection(
  connection: string | ConnectionSettings = defaultNamespace,
): Settings {
  const namespace = typeof connection === "string" ? connection : defaultNamespace;
  const given = typeof connection === "string" ? {} : connection;
  const config = new pulumi.Config(namespace);
  refuseUnknownKeys(given);

  function find(key: SettingKey): FoundSetting | undefined {
    if (given[key] !== undefined) return { value: given[key], source: `connection.${key}` };
    const configured = config.get(key);
    if (configured !== undefined) {
      if (settingKeys[key].secret) warnIfPlain(`${namespace}:${key}`);
      return { value: configured, source: `${namespace}:${key}` };
    }
    const variable = environmentVariable(key);
    const value = namespace === defaultNamespace ? process.env[variable] : undefined;
    // CI systems set a variable to nothing where a value is not available.
    return value === undefined || value === "" ? undefined : { value, source: variable };
  }

  function remedy(key: SettingKey): string {
    const command = setCommand(`${namespace}:${key}`, settingKeys[key].secret);
    return namespace === defaultNamespace
      ? `${command}  (or the environment variable ${environmentVariable(key)})`
      : command;
  }

  try {
    return resolveSettings({ find, remedy });
  } catch (error) {
    throw error instanceof ProjectServiceError ? firstLikeIt(error) : error;
  }
}

/** `baseUrl` is also `PROJECT_SERVICE_BASE_URL`. */
function environmentVariable(key: SettingKey): string {
  return `PROJECT_SERVICE_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

function setCommand(fullKey: string, secret: boolean): string {
  return `pulumi config set ${secret ? "--secret " : ""}${fullKey} <value>`;
}

function refuseUnknownKeys(given: object): void {
  const known = Object.keys(settingKeys);
  const unknown = Object.keys(given).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  throw new ProjectServiceError(
    "SETTINGS_INVALID",
    `connection has no key ${unknown.join(", ")}. Its keys are ${known.join(", ")}.`,
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
function warnIfPlain(fullKey: string): void {
  // Pulumi keeps the list of encrypted keys, but leaves the function out of its types.
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  const { warnedOf } = programNotes();
  if (isConfigSecret === undefined || isConfigSecret(fullKey) || warnedOf.has(fullKey)) return;
  warnedOf.add(fullKey);
  void pulumi.log.warn(
    `${fullKey} is stored in plain text in the stack's config. Encrypt it: ${setCommand(fullKey, true)}`,
  );
}
