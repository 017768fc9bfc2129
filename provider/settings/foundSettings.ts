import { didYouMean, displayText } from "../errors/displayText.js";
import { type SettingKey, settingKeys } from "./connectionSettings.js";
import { toAddress } from "./validateSetting.js";

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
  /** Problems other than values, such as unknown keys of a connection. */
  readonly problems: readonly string[];
  /** Name settings and variables that have no effect, and secrets that the config has in clear text. */
  readonly warnings: readonly string[];
}

interface FoundSetting {
  /** Text from config or environment. From a program: a typed value, or {@link pending}. */
  readonly value: unknown;
  /** Where it was found, in the user's words: `project-service:realm in the stack config`. */
  readonly origin: string;
  /** A sentence that says how to correct it there. */
  readonly remedy: string;
}

/**
 * Finds the settings in the settings object of a call. It is complete in itself: what it lacks may be
 * for another service in the stack config and in the environment.
 */
export function findInConnection(
  connection: Readonly<Record<string, unknown>>,
  isPending: (value: unknown) => boolean = () => false,
): FoundSettings {
  const found: Partial<Record<SettingKey, FoundSetting>> = {};
  const problems: string[] = [];
  for (const [key, value] of Object.entries(connection)) {
    if (!isSettingKey(key)) {
      const advice = didYouMean(key, keys, "keys");
      problems.push(`connection has the unknown key ${displayText(key)}. ${advice}.`);
    } else if (value !== undefined) {
      found[key] = {
        value: isPending(value) ? pending : value,
        origin: `connection.${key}`,
        remedy: "Change it in the program.",
      };
    }
  }
  const missing = (key: SettingKey) =>
    `connection.${key} is missing or undefined. A connection takes nothing from the stack config or the environment.`;
  return { found, missing, problems, warnings: [] };
}

/** The config of a stack, by full keys, as `pulumi config --json` prints it. */
export type StackConfig = Readonly<
  Record<string, { readonly value: string; readonly secret?: boolean | undefined }>
>;

/**
 * Finds the settings of a config namespace. Environment variables complete only the default namespace,
 * and only if they are for the same service and user. Otherwise one service's password could reach
 * another.
 *
 * @param config undefined if there is no stack config.
 * @param adviceWithoutConfig says how to provide a setting if there is no stack config. The variable
 *   follows it.
 */
export function findInConfig(
  namespace: string,
  config: StackConfig | undefined,
  adviceWithoutConfig = "Outside of Pulumi commands there is no stack config, nor in transforms of inline programs. Use a connection object",
): FoundSettings {
  const hasEnvironment = namespace === defaultNamespace;
  const configured = (key: SettingKey) => config?.[`${namespace}:${key}`];
  // CI systems set an empty variable if a value is not available.
  const inEnvironment = (key: SettingKey) =>
    (hasEnvironment && process.env[variableOf(key)]) || undefined;
  const difference = differenceBetween(configured, inEnvironment);
  const found: Partial<Record<SettingKey, FoundSetting>> = {};
  const ignored: Partial<Record<SettingKey, string>> = {};
  for (const key of keys) {
    const variable = variableOf(key);
    const own = configured(key);
    const value = inEnvironment(key);
    const isLimit = key === "timeoutSeconds" || key === "maxConcurrency";
    if (own !== undefined) {
      const origin = `${namespace}:${key} in the stack config`;
      found[key] = { value: own.value, origin, remedy: `Set it: ${setCommand(namespace, key)}` };
    } else if (value !== undefined && (difference === undefined || isLimit)) {
      found[key] = { value, origin: `the environment variable ${variable}`, remedy: "Change it." };
    } else if (value !== undefined) {
      ignored[key] =
        `${variable} is not used, because the environment variables are for another service or user: ${difference}.`;
    }
  }
  const missing = (key: SettingKey) => {
    const advice =
      config === undefined ? adviceWithoutConfig : `Set it: ${setCommand(namespace, key)}`;
    const isUsable = hasEnvironment && difference === undefined;
    const alternative = isUsable ? ` (or the environment variable ${variableOf(key)})` : "";
    return [`${key} is missing.`, ignored[key], advice + alternative].filter(Boolean).join(" ");
  };
  const warnings = [...configWarnings(namespace, config ?? {}), ...Object.values(ignored)];
  return { found, missing, problems: [], warnings };
}

/** Returns for instance `PROJECT_SERVICE_BASE_URL` for `baseUrl`. */
function variableOf(key: SettingKey): string {
  return `PROJECT_SERVICE_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

/** Says how the environment names another service or user than the config, if it does. */
function differenceBetween(
  configured: (key: SettingKey) => StackConfig[string] | undefined,
  inEnvironment: (key: SettingKey) => string | undefined,
): string | undefined {
  const hasAddress = (configured("baseUrl") ?? configured("authUrl")) !== undefined;
  for (const key of ["baseUrl", "authUrl", "realm", "clientId", "username"] as const) {
    const own = configured(key);
    const value = inEnvironment(key);
    if (value === undefined) continue;
    const shown = `${variableOf(key)} is ${displayText(normalized(key, value), 200)}`;
    if (own === undefined) {
      if (key.endsWith("Url") && hasAddress)
        return `${shown}, and the other settings have no ${key}`;
    } else if (normalized(key, own.value) !== normalized(key, value)) {
      const place = `${defaultNamespace}:${key}`;
      // The value is encrypted in the config, so the message does not show the one of the environment either.
      if (own.secret === true) return `${variableOf(key)} differs from ${place}`;
      return `${shown}, but ${place} is ${displayText(normalized(key, own.value), 200)}`;
    }
  }
  return undefined;
}

function normalized(key: SettingKey, value: string): string {
  if (!key.endsWith("Url")) return value;
  try {
    return toAddress(value, true);
  } catch {
    return "no valid address"; // which may contain a password
  }
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

/** Warns of keys in a namespace that are not settings, and of secrets in clear text. */
function configWarnings(namespace: string, config: StackConfig): string[] {
  return Object.entries(config).flatMap(([fullKey, { secret }]) => {
    if (!fullKey.startsWith(`${namespace}:`)) return [];
    const key = fullKey.slice(namespace.length + 1);
    if (!isSettingKey(key)) {
      return `${namespace}:${displayText(key)} in the stack config is not a setting and has no effect. ${didYouMean(key, keys, "settings")}.`;
    }
    if (settingKeys[key].secret !== true || secret === true) return [];
    return `${namespace}:${key} is stored in clear text in the stack's config. Encrypt it: ${setCommand(namespace, key)}`;
  });
}

function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingKeys, key);
}
