import * as pulumi from "@pulumi/pulumi";
import { argumentInvalid } from "../../provider/errors/argumentInvalid.js";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { resolveSettings, type Settings } from "../../provider/settings/resolveSettings.js";
import {
  connectionSource,
  defaultNamespace,
  type SettingKey,
  settingKeys,
  settingSources,
} from "../../provider/settings/settingSources.js";
import { errorOfProgram, warnOfPlainText, warnOfUnknownKeys, warnOnce } from "./configWarnings.js";
import { isInlineProgram, isPerhapsInTransform } from "./inlineProgram.js";
import type { ReadOutputOptions } from "./readOptions.js";
import { isOrContainsPending, isPlainObject } from "./checkArguments.js";

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
