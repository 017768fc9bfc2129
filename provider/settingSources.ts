import type { ConnectionSettings } from "./connectionSettings.js";
import { shown } from "./shown.js";

export type SettingKey = keyof ConnectionSettings;

/** Every key, in the order in which people fill them in, and whether its value is a secret. */
export const settingKeys: Readonly<Record<SettingKey, { readonly secret: boolean }>> = {
  baseUrl: { secret: false },
  authUrl: { secret: false },
  realm: { secret: false },
  clientId: { secret: false },
  clientSecret: { secret: true },
  username: { secret: false },
  password: { secret: true },
  scope: { secret: false },
  timeoutSeconds: { secret: false },
  caCertificate: { secret: false },
  insecureHttp: { secret: false },
  headers: { secret: true },
  maxConcurrency: { secret: false },
};

/** The config namespace that is read unless a program names another. */
export const defaultNamespace = "project-service";

/** Stands for a value that is not there yet: it is not missing, and not checked either. */
export const pending = Symbol("pending");

/** What a source says of a setting. */
export type FoundSetting =
  | {
      /** As it was found: text from config or environment, a typed value or {@link pending} from a program. */
      readonly value: unknown;
      /** Where it was found, as the user knows the place: `project-service:realm`. */
      readonly place: string;
      /** How to correct it there, as a sentence. */
      readonly remedy: string;
    }
  | {
      /** Why there is no value, and none may be taken from the sources that follow; with the remedy. */
      readonly missing: string;
    };

/** A place in which settings can be. */
export interface SettingSource {
  /** Undefined if this source says nothing of the setting. Then the next source is asked. */
  find(key: SettingKey): FoundSetting | undefined;
  /** How to provide a setting here. */
  howToSet?(key: SettingKey): string;
  /** What is wrong apart from the values, such as unknown keys. */
  readonly problems?: readonly string[];
}

/**
 * The sources of a connection, in the order in which they count: the settings object of a call, the
 * stack config, the environment.
 *
 * Environment variables apply only to the default namespace. Otherwise one service's password could
 * reach another.
 *
 * @param configured a value of the stack config's namespace.
 */
export function settingSources(
  namespace: string,
  configured: (key: SettingKey) => string | undefined,
  connection?: SettingSource,
): SettingSource[] {
  return [
    ...(connection === undefined ? [] : [connection]),
    configSource(namespace, configured),
    ...(namespace === defaultNamespace ? [environmentSource] : []),
  ];
}

/** Settings that belong to one server: another server must not get them. */
const keysOfOneServer: ReadonlySet<SettingKey> = new Set<SettingKey>([
  "baseUrl",
  "authUrl",
  "clientSecret",
  "username",
  "password",
  "caCertificate",
  "insecureHttp",
  "headers",
]);

/**
 * The settings object of a call.
 *
 * An object that names `baseUrl` or `authUrl` names another server. Credentials and everything else
 * that belongs to one server then come from the object alone. A key that is present with the value
 * `undefined` is not looked up elsewhere either: a program that fails to read a password must not
 * send another service's.
 *
 * @param isPending tells values that come later.
 */
export function connectionSource(
  connection: object,
  isPending: (value: unknown) => boolean = () => false,
): SettingSource {
  const settings = connection as Readonly<Record<string, unknown>>;
  const known = Object.keys(settingKeys);
  const serverKey = (["baseUrl", "authUrl"] as const).find((key) => Object.hasOwn(settings, key));

  function find(key: SettingKey): FoundSetting | undefined {
    const place = `connection.${key}`;
    const isBound = serverKey !== undefined && keysOfOneServer.has(key);
    if (Object.hasOwn(settings, key)) {
      const value = settings[key];
      if (value === undefined) return { missing: undefinedKey(place, isBound) };
      return {
        value: isPending(value) ? pending : value,
        place,
        remedy: `Change ${place} in the program.`,
      };
    }
    if (!isBound) return undefined;
    return {
      missing:
        `${place} is missing. The connection names its own server with ${serverKey}, so the stack config and the environment, ` +
        `which are for another server, are not used for ${key}. Add ${key} to the connection, or pass a config namespace as connection.`,
    };
  }

  return {
    find,
    problems: Object.keys(settings)
      .filter((key) => !known.includes(key))
      .map((key) => `connection has no key ${shown(key)}. Its keys are ${known.join(", ")}.`),
  };
}

function undefinedKey(place: string, isBound: boolean): string {
  return (
    `${place} is undefined. A key that is present is not looked up in the stack config or the environment. ` +
    (isBound ? "Give it a value." : "Give it a value, or leave the key out to have it looked up.")
  );
}

function configSource(
  namespace: string,
  configured: (key: SettingKey) => string | undefined,
): SettingSource {
  return {
    find(key) {
      const value = configured(key);
      if (value === undefined) return undefined;
      const place = `${namespace}:${key}`;
      return { value, place, remedy: `Set it: ${setCommand(place, key)}` };
    },
    howToSet: (key) => `Set it: ${setCommand(`${namespace}:${key}`, key)}`,
  };
}

const environmentSource: SettingSource = {
  find(key) {
    const place = environmentVariable(key);
    const value = process.env[place];
    // CI systems set a variable to nothing where a value is not available.
    if (value === undefined || value === "") return undefined;
    return { value, place, remedy: "Change this environment variable." };
  },
  howToSet: (key) => ` (or the environment variable ${environmentVariable(key)})`,
};

/** `baseUrl` is also `PROJECT_SERVICE_BASE_URL`. */
function environmentVariable(key: SettingKey): string {
  return `PROJECT_SERVICE_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

/** The command that puts a setting into the stack's config, encrypted where it is a secret. */
function setCommand(fullKey: string, key: SettingKey): string {
  return `pulumi config set ${settingKeys[key].secret ? "--secret " : ""}${fullKey} <value>`;
}

/** For a secret that is in the stack's config without encryption; undefined for other settings. */
export function plainTextWarning(namespace: string, key: SettingKey): string | undefined {
  if (!settingKeys[key].secret) return undefined;
  const fullKey = `${namespace}:${key}`;
  return `${fullKey} is stored in plain text in the stack's config. Encrypt it: ${setCommand(fullKey, key)}`;
}
