import { didYouMean, displayText } from "../errors/displayText.js";
import { realmIn, type SettingKey, settingKeys, settingsTable } from "./settingsTable.js";

/** The config namespace that is used unless a program names another. */
export const defaultNamespace = "project-service";

/** Stands for a value that arrives later. It is not missing, and cannot be checked yet. */
export const pending = Symbol("pending");

/** The settings of a connection before any value is checked. */
export interface FoundSettings {
  readonly values: Readonly<Partial<Record<SettingKey, FoundValue>>>;
  /** Say which required settings are missing and how to provide them, and which keys are unknown. */
  readonly problems: readonly string[];
  /** Name keys of the config that are no settings, and secrets that it has in clear text. */
  readonly warnings: readonly string[];
}

export interface FoundValue {
  /** Text from config or environment. From a program: a typed value, or {@link pending}. */
  readonly value: unknown;
  /** Where it was found, in the user's words: `project-service:realm in the stack config`. */
  readonly origin: string;
  /** Whether the stack config encrypts it. */
  readonly isEncrypted?: boolean;
  /** The environment variable that has it. */
  readonly variable?: string | undefined;
  /** A sentence that says how to correct it there. */
  readonly remedy: string;
}

/** Finds the settings in the `connection` object of a call, which takes nothing from elsewhere. */
export function findInConnection(
  connection: Readonly<Record<string, unknown>>,
  isPending: (value: unknown) => boolean = () => false,
): FoundSettings {
  const values: Partial<Record<SettingKey, FoundValue>> = {};
  const problems: string[] = [];
  for (const [key, value] of Object.entries(connection)) {
    if (!isSettingKey(key)) {
      const advice = didYouMean(key, settingKeys, "keys");
      problems.push(`Unknown key ${displayText(key)} in connection. ${advice}.`);
    } else if (value !== undefined) {
      values[key] = {
        value: isPending(value) ? pending : value,
        origin: `connection.${key}`,
        remedy: "Change it in the program.",
      };
    }
  }
  for (const key of settingKeys) {
    if (!isRequired(key, values) || values[key] !== undefined) continue;
    problems.push(
      `connection.${key} is missing or undefined. A connection object takes nothing from the stack config or environment variables.`,
    );
  }
  return { values, problems, warnings: [] };
}

/** Whether a setting must not be missing. An address can have the realm, which comes after it. */
function isRequired(key: SettingKey, { authUrl }: FoundSettings["values"]): boolean {
  if (key !== "realm") return settingsTable[key].required === true;
  return authUrl?.value !== pending && realmIn(String(authUrl?.value)) === undefined;
}

/** The config of a stack, by full keys, as `pulumi config --json` prints it. */
export type StackConfig = Readonly<
  Record<string, { readonly value: string; readonly secret?: boolean | undefined }>
>;

/**
 * Finds the settings of a config namespace: each in the stack config, otherwise in its variable. Both addresses come from
 * one of the two, and what both have must agree. Otherwise one service's password could reach another.
 *
 * @param config undefined if there is no stack config.
 * @param adviceWithoutConfig says how to provide a setting without a stack config. The variable follows.
 */
export function findInConfig(
  namespace: string,
  config: StackConfig | undefined,
  adviceWithoutConfig = "There is no stack config outside Pulumi commands or in transforms of inline programs. Pass a connection object",
): FoundSettings {
  const values: Partial<Record<SettingKey, FoundValue>> = {};
  const problems: string[] = [];
  const inConfig = (key: SettingKey) => config?.[`${namespace}:${key}`];
  // CI systems set an empty variable if a value is not available.
  const inEnv = (key: SettingKey) => process.env[variableOf(namespace, key) ?? ""] || undefined;
  const hasAddress = addresses.some((key) => inConfig(key) !== undefined);
  const usesVariables = !hasAddress && addresses.some(inEnv);
  const needsConfig = (key: SettingKey) => hasAddress && addresses.includes(key);
  for (const key of settingKeys) {
    const place = `${namespace}:${key}`;
    const variable = variableOf(namespace, key);
    const [configured, given] = [inConfig(key), inEnv(key)];
    const remedy = `Set it in this stack: ${setCommand(namespace, key, configured?.secret)}`;
    const { required, secret } = settingsTable[key];
    if (configured !== undefined) {
      const { value, secret: isEncrypted = false } = configured;
      values[key] = { value, origin: `${place} in the stack config`, isEncrypted, remedy };
      if (required && !secret && comparable(key, given ?? value) !== comparable(key, value)) {
        problems.push(
          `${place} in the stack config differs from the environment variable ${variable}. Remove one of them, and the other settings of its service.`,
        );
      }
      if (secret && !hasAddress) {
        problems.push(
          `${place} is in the stack config, but baseUrl and authUrl are not. Set both there, or remove it.`,
        );
      }
    } else if (given !== undefined) {
      const origin = `the environment variable ${variable}`;
      values[key] = { value: given, origin, variable, remedy: "Change it." };
      if (needsConfig(key)) {
        problems.push(
          `${key} is in the environment variable ${variable}, but the other address is in the stack config. Set both in one place.`,
        );
      }
    } else if (isRequired(key, values)) {
      const usual = config === undefined ? adviceWithoutConfig : remedy;
      const isInConfigOnly = variable === undefined || needsConfig(key);
      const also = isInConfigOnly ? "" : ` (or set the environment variable ${variable})`;
      const advice = usesVariables ? `Set the environment variable ${variable}` : usual + also;
      problems.push(`${key} is missing. ${advice}`);
    }
  }
  return { values, problems, warnings: configWarnings(namespace, config ?? {}) };
}

const addresses: readonly SettingKey[] = ["baseUrl", "authUrl"];

/** Addresses can be written in several ways. */
function comparable(key: SettingKey, text: string): string {
  const isUrl = addresses.includes(key) && URL.canParse(text);
  return isUrl ? new URL(text).href.replace(/(\/api\/project\/v5)?\/*$/, "") : text;
}

/**
 * Returns for instance `PROJECT_SERVICE_MY_STAGING_BASE_URL`. Namespaces with other characters have no variables, because
 * two of them could share one. These never do: no key's variable ends with `_` and the variable of another key.
 */
export function variableOf(namespace: string, key: SettingKey): string | undefined {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(namespace)) return undefined;
  const own = namespace === defaultNamespace ? "" : `${namespace}_`;
  return variablePrefix + own.replaceAll("-", "_").toUpperCase() + variableEnd(key);
}

export const variablePrefix = "PROJECT_SERVICE_";

/** Returns the end of the variables of a setting: `BASE_URL` for `baseUrl`. */
export function variableEnd(key: SettingKey): string {
  return key.replace(/[A-Z]/g, "_$&").toUpperCase();
}

/** Without a value, Pulumi asks for the secret, which then does not get into the shell's history. */
function setCommand(namespace: string, key: SettingKey, wasEncrypted = false): string {
  return wasEncrypted || settingsTable[key].secret
    ? `pulumi config set --secret ${namespace}:${key}`
    : `pulumi config set ${namespace}:${key} <value>`;
}

/** Warns of keys in a namespace that are not settings, and of secrets in clear text. */
function configWarnings(namespace: string, config: StackConfig): string[] {
  return Object.entries(config).flatMap(([fullKey, { secret }]) => {
    if (!fullKey.startsWith(`${namespace}:`)) return [];
    const key = fullKey.slice(namespace.length + 1);
    if (!isSettingKey(key)) {
      return `${namespace}:${displayText(key)} in the stack config is not a setting and has no effect. ${didYouMean(key, settingKeys, "settings")}.`;
    }
    if (settingsTable[key].secret !== true || secret === true) return [];
    return `${namespace}:${key} is stored in clear text in the stack config. Encrypt it: ${setCommand(namespace, key)}`;
  });
}

function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingsTable, key);
}
