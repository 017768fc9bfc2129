import * as pulumi from "@pulumi/pulumi";
import type * as ProxyFromEnv from "proxy-from-env";
import { ProjectServiceError } from "../provider/errors.js";
import {
  type FoundSetting,
  pending,
  resolveSettings,
  type SettingKey,
  settingKeys,
  type Settings,
} from "../provider/settings.js";
import { shown } from "../provider/shown.js";
import { isOrHoldsPending, isPlainObject } from "./checkArguments.js";
import type { ReadOutputOptions } from "./readOptions.js";

type Connection = NonNullable<ReadOutputOptions["connection"]>;

/** The config namespace that is read unless a program names another. */
export const defaultNamespace = "project-service";

/**
 * Resolves the settings of a connection, anew at each call: one process can run many programs.
 *
 * Order: settings object, stack config, environment, default. The environment stands in for the
 * default namespace only, lest the password of one service be sent to another. Values of the object
 * that are Outputs or Promises are taken for present; what else is wrong is said without them.
 */
export function resolveConnection(connection: Connection = defaultNamespace): Settings {
  const given = typeof connection === "string" ? {} : checkedObject(connection);
  const namespace =
    typeof connection === "string" ? checkedNamespace(connection) : defaultNamespace;
  const config = new pulumi.Config(namespace);

  function find(key: SettingKey): FoundSetting | undefined {
    if (given[key] !== undefined) {
      return {
        value: isOrHoldsPending(given[key]) ? pending : given[key],
        source: `connection.${key}`,
        remedy: `Change connection.${key} in the program.`,
      };
    }
    const configured = config.get(key);
    if (configured !== undefined) {
      const source = `${namespace}:${key}`;
      if (settingKeys[key].secret) warnIfPlain(source, key);
      return { value: configured, source, remedy: `Set it: ${setCommand(source, key)}` };
    }
    const variable = environmentVariable(key);
    const value = namespace === defaultNamespace ? process.env[variable] : undefined;
    // CI systems set a variable to nothing where a value is not available.
    if (value === undefined || value === "") return undefined;
    return { value, source: variable, remedy: "Change this environment variable." };
  }

  function remedy(key: SettingKey): string {
    const command = `Set it: ${setCommand(`${namespace}:${key}`, key)}`;
    return namespace === defaultNamespace
      ? `${command}  (or the environment variable ${environmentVariable(key)})`
      : command;
  }

  try {
    return resolveSettings({ find, remedy, proxyFor, problems: unknownKeys(given) });
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

function checkedNamespace(namespace: string): string {
  if (/^[^\s:]+$/.test(namespace)) return namespace;
  throw new ProjectServiceError(
    "ARGUMENT_INVALID",
    'connection must be a config namespace such as "project-service", without a colon.',
  );
}

/** By HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in upper or lower case. */
function proxyFor(address: string): string | undefined {
  if (!Object.keys(process.env).some((name) => /_proxy$/i.test(name))) return undefined;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only where there is one
  const { getProxyForUrl } = require("proxy-from-env") as typeof ProxyFromEnv;
  return getProxyForUrl(address) || undefined;
}

function unknownKeys(given: object): string[] {
  const known = Object.keys(settingKeys);
  return Object.keys(given)
    .filter((key) => !known.includes(key))
    .map((key) => `connection has no key ${shown(key)}. Its keys are ${known.join(", ")}.`);
}

/** `baseUrl` is also `PROJECT_SERVICE_BASE_URL`. */
function environmentVariable(key: SettingKey): string {
  return `PROJECT_SERVICE_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

function setCommand(fullKey: string, key: SettingKey): string {
  return `pulumi config set ${settingKeys[key].secret ? "--secret " : ""}${fullKey} <value>`;
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
