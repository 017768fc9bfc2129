import type * as ProxyFromEnv from "proxy-from-env";
import {
  type FoundSetting,
  resolveSettings,
  type SettingKey,
  settingKeys,
  type Settings,
} from "./settings.js";

/** The config namespace that is read unless a program names another. */
export const defaultNamespace = "project-service";

/** Where the settings of one namespace may be, besides the environment. */
export interface SettingPlaces {
  readonly namespace: string;
  /** A value of the stack config's namespace. */
  configured(key: SettingKey): string | undefined;
  /** What counts before the config: a settings object in a program. */
  given?(key: SettingKey): FoundSetting | undefined;
  /** What is wrong besides, such as keys that there are not. */
  readonly problems?: readonly string[];
}

/**
 * Looks up every setting and resolves them all: what is given, stack config, environment, default.
 *
 * The environment stands in for the default namespace only, lest the password of one service be
 * sent to another. This is the one file of provider/ that reads it.
 *
 * @throws ProjectServiceError `SETTINGS_INVALID`, see {@link resolveSettings}.
 */
export function lookUpSettings(places: SettingPlaces): Settings {
  const { namespace, problems = [] } = places;

  function find(key: SettingKey): FoundSetting | undefined {
    const given = places.given?.(key);
    if (given !== undefined) return given;
    const configured = places.configured(key);
    if (configured !== undefined) {
      const source = `${namespace}:${key}`;
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

  return resolveSettings({ find, remedy, proxyFor, problems });
}

/** The command that puts a setting into the stack's config, encrypted where it is a secret. */
export function setCommand(fullKey: string, key: SettingKey): string {
  return `pulumi config set ${settingKeys[key].secret ? "--secret " : ""}${fullKey} <value>`;
}

/** `baseUrl` is also `PROJECT_SERVICE_BASE_URL`. */
function environmentVariable(key: SettingKey): string {
  return `PROJECT_SERVICE_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

/** By HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in upper or lower case. */
function proxyFor(address: string): string | undefined {
  if (!Object.keys(process.env).some((name) => /_proxy$/i.test(name))) return undefined;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only where there is one
  const { getProxyForUrl } = require("proxy-from-env") as typeof ProxyFromEnv;
  return getProxyForUrl(address) || undefined;
}
