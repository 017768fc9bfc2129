import { displayText, mostSimilar, nearest } from "../errors/displayText.js";
import type { ConnectionSettings } from "./connectionSettings.js";
import { toAddress } from "./validateSetting.js";

export type SettingKey = keyof ConnectionSettings;
type Values = Readonly<Partial<Record<SettingKey, string | undefined>>>;

/** All keys, in the order in which people fill them in, and whether their values are secret. */
export const settingKeys: Readonly<Record<SettingKey, { readonly secret?: true }>> = {
  baseUrl: {},
  authUrl: {},
  realm: {},
  clientId: {},
  clientSecret: { secret: true },
  username: {},
  password: { secret: true },
  scope: {},
  timeoutSeconds: {},
  caCertificate: {},
  insecureHttp: {},
  headers: { secret: true },
  maxConcurrency: {},
};
const keys = Object.keys(settingKeys) as SettingKey[];

/** The config namespace that is used unless a program names another. */
export const defaultNamespace = "project-service";

/** Stands for a value that arrives later. It is not missing, and cannot be checked yet. */
export const pending = Symbol("pending");

/** What a connection consists of, before any value is checked. */
export interface FoundSettings {
  readonly found: Readonly<Partial<Record<SettingKey, FoundSetting>>>;
  /** Says that a required setting is missing, and how to provide it. */
  readonly missing: (key: SettingKey) => string;
  /** Problems other than values, such as unknown keys. */
  readonly problems: readonly string[];
  /** Each names an environment variable that is not used, and says why. */
  readonly warnings: readonly string[];
}

interface FoundSetting {
  /** Text from config or environment. From a program: a typed value, or {@link pending}. */
  readonly value: unknown;
  /** Where it was found, in the user's words: `project-service:realm`. */
  readonly place: string;
  /** The place for a message about another problem, such as a rejected password. */
  readonly origin: string;
  /** A sentence that says how to correct it there. */
  readonly remedy: string;
}

/**
 * Finds the settings in the settings object of a call. It is complete in itself: what it lacks may be
 * for another service in the stack config and in the environment.
 *
 * @param isPending whether a value arrives later.
 */
export function findInConnection(
  connection: Readonly<Record<string, unknown>>,
  isPending: (value: unknown) => boolean = () => false,
): FoundSettings {
  const found: Partial<Record<SettingKey, FoundSetting>> = {};
  const problems: string[] = [];
  for (const [key, value] of Object.entries(connection)) {
    const place = `connection.${key}`;
    if (!isSettingKey(key)) problems.push(`connection has the unknown key ${nearest(key, keys)}.`);
    else if (value !== undefined) {
      found[key] = {
        value: isPending(value) ? pending : value,
        place,
        origin: `${place} in the program`,
        remedy: `Change ${place} in the program.`,
      };
    }
  }
  const missing = (key: SettingKey) =>
    Object.hasOwn(connection, key)
      ? `connection.${key} is undefined. Give it a value.`
      : `connection.${key} is missing. Add ${key} to the connection, which takes nothing from the stack config or the environment.`;
  return { found, missing, problems, warnings: [] };
}

/**
 * Finds the settings of a config namespace. Environment variables complete only the default namespace,
 * and only if they are for the same service and user. Otherwise one service's password could reach
 * another.
 *
 * @param configured returns a value of the stack config by its full key. `undefined` if there is no
 *   stack config.
 * @param adviceWithoutConfig says how to provide a setting if there is no stack config. The variable
 *   follows it.
 */
export function findInConfig(
  namespace: string,
  configured: ((fullKey: string) => string | undefined) | undefined,
  adviceWithoutConfig = "Outside of Pulumi commands there is no stack config, nor in transforms of inline programs. Use a connection object",
): FoundSettings {
  const config = valuesOf((key) => configured?.(`${namespace}:${key}`));
  const hasEnvironment = namespace === defaultNamespace;
  // CI systems set an empty variable if a value is not available.
  const inEnvironment = (key: SettingKey) => process.env[variableOf(key)] || undefined;
  const environment = hasEnvironment ? valuesOf(inEnvironment) : {};
  const difference = differenceBetween(namespace, config, environment);
  const found: Partial<Record<SettingKey, FoundSetting>> = {};
  const ignored: Partial<Record<SettingKey, string>> = {};
  for (const key of keys) {
    const place = `${namespace}:${key}`;
    const variable = variableOf(key);
    if (config[key] !== undefined) {
      const remedy = `Set it: ${setCommand(namespace, key)}`;
      found[key] = { value: config[key], place, origin: `${place} in the stack config`, remedy };
    } else if (environment[key] !== undefined) {
      if (difference === undefined || key === "timeoutSeconds" || key === "maxConcurrency") {
        const origin = `the environment variable ${variable}`;
        const remedy = "Change this environment variable.";
        found[key] = { value: environment[key], place: variable, origin, remedy };
      } else {
        ignored[key] =
          `${variable} is not used, because the environment variables are for another service or user: ${difference}.`;
      }
    }
  }
  function missing(key: SettingKey): string {
    const advice =
      configured === undefined ? adviceWithoutConfig : `Set it: ${setCommand(namespace, key)}`;
    if (ignored[key] !== undefined) return `${key} is missing. ${ignored[key]} ${advice}`;
    const isUsable = hasEnvironment && difference === undefined;
    return `${key} is missing. ${advice}${isUsable ? ` (or the environment variable ${variableOf(key)})` : ""}`;
  }
  return { found, missing, problems: [], warnings: Object.values(ignored) };
}

function valuesOf(valueOf: (key: SettingKey) => string | undefined): Values {
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)]));
}

/** Says how the environment names another service or user than the config, if it does. */
function differenceBetween(
  namespace: string,
  config: Values,
  environment: Values,
): string | undefined {
  const realm = config.realm ?? environment.realm ?? "";
  const hasAddress = config.baseUrl !== undefined || config.authUrl !== undefined;
  for (const key of ["baseUrl", "authUrl", "realm", "clientId", "username"] as const) {
    const [own, variable] = [config[key], environment[key]];
    if (variable === undefined) continue;
    const shown = `${variableOf(key)} is ${displayText(normalized(key, variable, realm), 200)}`;
    if (own === undefined) {
      const isAddress = key === "baseUrl" || key === "authUrl";
      if (isAddress && hasAddress) return `${shown}, and the other settings have no ${key}`;
    } else if (normalized(key, own, realm) !== normalized(key, variable, realm)) {
      return `${shown}, but ${namespace}:${key} is ${displayText(normalized(key, own, realm), 200)}`;
    }
  }
  return undefined;
}

function normalized(key: SettingKey, value: string, realm: string): string {
  if (key !== "baseUrl" && key !== "authUrl") return value;
  try {
    return toAddress(key, value, true, realm);
  } catch {
    return "no valid address"; // which may contain a password
  }
}

/** Returns for instance `PROJECT_SERVICE_BASE_URL` for `baseUrl`. */
function variableOf(key: SettingKey): string {
  return `PROJECT_SERVICE_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

/**
 * Returns the command that stores a setting in the stack's config, encrypted if it is a secret.
 * Without a value, Pulumi asks for the secret, which then does not get into the shell's history.
 */
function setCommand(namespace: string, key: SettingKey): string {
  return settingKeys[key].secret
    ? `pulumi config set --secret ${namespace}:${key}`
    : `pulumi config set ${namespace}:${key} <value>`;
}

/** Warns of keys in a namespace of the stack config that are not settings, and of secrets in clear text. */
export function configWarnings(
  namespace: string,
  fullKeys: readonly string[],
  isEncrypted: (fullKey: string) => boolean,
): string[] {
  return fullKeys.flatMap((fullKey) => {
    if (!fullKey.startsWith(`${namespace}:`)) return [];
    const key = fullKey.slice(namespace.length + 1);
    if (!isSettingKey(key)) {
      return `${namespace}:${displayText(key)} in the stack config is not a setting and has no effect. Did you mean ${namespace}:${mostSimilar(key, keys)}?`;
    }
    if (settingKeys[key].secret !== true || isEncrypted(fullKey)) return [];
    return `${namespace}:${key} is stored in clear text in the stack's config. Encrypt it: ${setCommand(namespace, key)}`;
  });
}

function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingKeys, key);
}
