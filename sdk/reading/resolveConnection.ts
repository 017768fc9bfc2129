import * as pulumi from "@pulumi/pulumi";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { resolveSettings, type Settings } from "../../provider/settings/resolveSettings.js";
import {
  connectionSource,
  defaultNamespace,
  plainTextWarning,
  type SettingKey,
  settingKeys,
  settingSources,
  unknownKeyWarning,
} from "../../provider/settings/settingSources.js";
import { isOrContainsPending, isPlainObject } from "./checkArguments.js";
import { isInlineProgram, isPerhapsInTransform } from "./inlineProgram.js";
import type { ReadOutputOptions } from "./readOptions.js";

type Connection = NonNullable<ReadOutputOptions["connection"]>;

/**
 * Copies inherited settings of a connection, such as the getters of a class, into an object of its
 * own. Pulumi copies only own properties when it waits for Outputs. A setting that got lost would be
 * looked up in the config, which may be for another service.
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
 * An Output or a Promise counts as present. All other problems are thrown without waiting for it.
 */
export function resolveConnection(connection: Connection = defaultNamespace): Settings {
  const isNamespace = typeof connection === "string";
  if (isNamespace) checkNamespace(connection);
  const namespace = isNamespace ? connection : defaultNamespace;
  const source = isNamespace
    ? undefined
    : connectionSource(checkedObject(plainConnection(connection)), isOrContainsPending);
  const config = new pulumi.Config(namespace);
  const configKeys = keysIn(namespace);
  warnOfUnknownKeys(namespace, configKeys);

  function configured(key: SettingKey): string | undefined {
    const value = config.get(key);
    if (value !== undefined) warnOfPlainText(namespace, key);
    return value;
  }

  try {
    // Outside of Pulumi commands there is no config, except what a test has set.
    const hasConfig = pulumi.runtime.hasEngine() || isInlineProgram() || configKeys.length > 0;
    const sources = settingSources(namespace, hasConfig ? configured : undefined, source);
    const settings = resolveSettings(sources);
    for (const warning of settings.warnings) warnOnce(warning);
    return settings;
  } catch (error) {
    if (!(error instanceof ProjectServiceError)) throw error;
    throw errorOfProgram(isPerhapsInTransform() ? withTransformHint(error) : error);
  }
}

function withTransformHint({ code, message }: ProjectServiceError): ProjectServiceError {
  return new ProjectServiceError(
    code,
    `${message}\nA transform or a resource hook of an inline program has no stack config. Read in the program's function, and use the result there.`,
  );
}

function keysIn(namespace: string): string[] {
  return Object.keys(pulumi.runtime.allConfig())
    .filter((fullKey) => fullKey.startsWith(`${namespace}:`))
    .map((fullKey) => fullKey.slice(namespace.length + 1));
}

function checkedObject(connection: unknown): Record<string, unknown> {
  if (isPlainObject(connection)) return connection;
  throw argumentInvalid("connection must be a config namespace or an object of settings.");
}

function checkNamespace(namespace: string): void {
  if (/^[^\s:]+$/.test(namespace)) return;
  throw argumentInvalid(
    'connection must be a config namespace such as "project-service", without a colon.',
  );
}

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
function warnOfPlainText(namespace: string, key: SettingKey): void {
  const warning = plainTextWarning(namespace, key);
  // Pulumi exports this function, but its types do not contain it.
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  if (isConfigSecret?.(`${namespace}:${key}`) === false) warnOnce(warning);
}

function warnOfUnknownKeys(namespace: string, keys: readonly string[]): void {
  for (const key of keys) warnOnce(unknownKeyWarning(namespace, key));
}

/** Warns once in each run of a program. */
function warnOnce(warning: string | undefined): void {
  const { warnings } = messagesOfProgram();
  if (warning === undefined || warnings.has(warning)) return;
  warnings.add(warning);
  void pulumi.log.warn(warning);
}
