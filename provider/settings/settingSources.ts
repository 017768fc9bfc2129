import { displayText, mostSimilar } from "../errors/displayText.js";
import { unknownKey } from "../errors/projectServiceError.js";
import type { ConnectionSettings } from "./connectionSettings.js";

export type SettingKey = keyof ConnectionSettings;

/** What is known about a setting. */
interface SettingKind {
  /** Whether the value is a secret. */
  readonly secret?: true;
  /** Whether it belongs to one server. Another server must not receive it. */
  readonly ofServer?: true;
  /** Whether it tells no server anything about another one. */
  readonly harmless?: true;
}

/** All keys, in the order in which people fill them in. */
export const settingKeys: Readonly<Record<SettingKey, SettingKind>> = {
  baseUrl: { ofServer: true },
  authUrl: { ofServer: true },
  realm: {},
  clientId: {},
  clientSecret: { secret: true, ofServer: true },
  username: { ofServer: true },
  password: { secret: true, ofServer: true },
  scope: {},
  timeoutSeconds: { harmless: true },
  caCertificate: { ofServer: true },
  insecureHttp: { ofServer: true },
  headers: { secret: true, ofServer: true },
  maxConcurrency: { harmless: true },
};

/** The config namespace that is used unless a program names another. */
export const defaultNamespace = "project-service";

/** Stands for a value that arrives later. It is not missing, and cannot be checked yet. */
export const pending = Symbol("pending");

/** What a source knows about a setting. */
export type FoundSetting =
  | {
      /** Text from config or environment. From a program: a typed value, or {@link pending}. */
      readonly value: unknown;
      /** Where the source found it, in the user's words: `project-service:realm`. */
      readonly place: string;
      /** The place for a message about another problem, such as a rejected password. */
      readonly origin: string;
      /** A sentence that says how to correct it there. */
      readonly remedy: string;
    }
  | {
      /** Why there is no value, and no later source may be used, with the remedy. */
      readonly missing: string;
    };

/** A place where settings can be. */
export interface SettingSource {
  /** Returns `undefined` if this source does not contain the setting. The next source is then used. */
  find(key: SettingKey): FoundSetting | undefined;
  /** Says how to provide a setting here. The texts of all sources follow each other. */
  howToSet?(key: SettingKey): string;
  /** Problems other than values, such as unknown keys. */
  readonly problems?: readonly string[];
  readonly isConnection?: boolean;
  readonly isEnvironment?: boolean;
  /** Says why a setting of this source is not used, if it would have been. */
  ignored?(key: SettingKey): string | undefined;
}

/**
 * Returns the sources of settings by priority: the settings object of a call, the stack config, the
 * environment.
 *
 * Environment variables apply only to the default namespace. Otherwise one service's password could
 * reach another.
 *
 * @param configured returns a value in the namespace of the stack config. `undefined` if there is no
 *   stack config.
 * @param adviceWithoutConfig says how to provide a setting if there is no stack config. The variable
 *   follows it.
 */
export function settingSources(
  namespace: string,
  configured: ((key: SettingKey) => string | undefined) | undefined,
  connection?: SettingSource,
  adviceWithoutConfig = "Outside of Pulumi commands there is no stack config. Use a connection object",
): SettingSource[] {
  return [
    ...(connection === undefined ? [] : [connection]),
    configured === undefined
      ? { find: () => undefined, howToSet: () => adviceWithoutConfig }
      : configSource(namespace, configured),
    ...(namespace === defaultNamespace ? [environmentSource] : []),
  ];
}

/**
 * Makes a source from the settings object of a call.
 *
 * An object with `baseUrl` or `authUrl` names its own server. All settings that belong to one server
 * then come from the object alone. A key with the value `undefined` is not looked up elsewhere: if a
 * program fails to read a password, it must not send the password of another service.
 *
 * @param isPending whether a value arrives later.
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
    const isBound = serverKey !== undefined && settingKeys[key].ofServer === true;
    if (Object.hasOwn(settings, key)) {
      const value = settings[key];
      if (value === undefined) return { missing: undefinedKey(place, isBound) };
      return {
        value: isPending(value) ? pending : value,
        place,
        origin: `${place} in the program`,
        remedy: `Change ${place} in the program.`,
      };
    }
    if (!isBound) return undefined;
    return {
      missing:
        `${place} is missing. The connection names its own server with ${serverKey}. The stack config and the environment are for another server, ` +
        `so ${key} is not taken from there. Add ${key} to the connection, or pass a config namespace as connection.`,
    };
  }

  return {
    find,
    isConnection: true,
    ...(serverKey !== undefined && { howToSet: (key) => `Add ${key} to the connection.` }),
    problems: Object.keys(settings)
      .filter((key) => !known.includes(key))
      .map((key) => unknownKey("connection", key, known).message),
  };
}

function undefinedKey(place: string, isBound: boolean): string {
  return (
    `${place} is undefined. Because the key is present, the stack config and the environment are not used. ` +
    (isBound
      ? "Give it a value."
      : "Give it a value. To use the stack config and the environment, remove the key.")
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
      return {
        value,
        place,
        origin: `${place} in the stack config`,
        remedy: `Set it: ${setCommand(place, key)}`,
      };
    },
    howToSet: (key) => `Set it: ${setCommand(`${namespace}:${key}`, key)}`,
  };
}

const environmentSource: SettingSource = {
  isEnvironment: true,
  find(key) {
    const place = environmentVariable(key);
    const value = process.env[place];
    // CI systems set an empty variable if a value is not available.
    if (value === undefined || value === "") return undefined;
    return {
      value,
      place,
      origin: `the environment variable ${place}`,
      remedy: "Change this environment variable.",
    };
  },
  howToSet: (key) => ` (or the environment variable ${environmentVariable(key)})`,
};

/** Returns for instance `PROJECT_SERVICE_BASE_URL` for `baseUrl`. */
function environmentVariable(key: SettingKey): string {
  return `PROJECT_SERVICE_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

/**
 * Returns the command that stores a setting in the stack's config, encrypted if it is a secret.
 * Without a value, Pulumi asks for the secret, which then does not get into the shell's history.
 */
function setCommand(fullKey: string, key: SettingKey): string {
  return settingKeys[key].secret
    ? `pulumi config set --secret ${fullKey}`
    : `pulumi config set ${fullKey} <value>`;
}

/** Returns the warning for a config key that is not a setting, with the most similar key. */
export function unknownKeyWarning(namespace: string, key: string): string | undefined {
  if (Object.hasOwn(settingKeys, key)) return undefined;
  const similar = mostSimilar(key, Object.keys(settingKeys));
  return `${namespace}:${displayText(key)} in the stack config is not a setting and has no effect. Did you mean ${namespace}:${similar}?`;
}

/** Returns the warning for a secret that is not encrypted in the stack's config, if the setting is a secret. */
export function plainTextWarning(namespace: string, key: SettingKey): string | undefined {
  if (!settingKeys[key].secret) return undefined;
  const fullKey = `${namespace}:${key}`;
  return `${fullKey} is stored in clear text in the stack's config. Encrypt it: ${setCommand(fullKey, key)}`;
}

/*
 * Which settings may reach which server. The first source with an address names the server. A later
 * source completes its settings only if it names no other server. Otherwise one server could receive
 * the secrets of another.
 */

const addressKeys = ["baseUrl", "authUrl"] as const;
type AddressKey = (typeof addressKeys)[number];

/** Returns the sources, each without the settings that must not reach the server. */
export function sourcesOfOneServer(sources: readonly SettingSource[]): SettingSource[] {
  const index = sources.findIndex((source) =>
    addressKeys.some((key) => addressIn(source, key) !== undefined),
  );
  const server = sources[index];
  if (server === undefined) return [...sources];
  return sources.map((source, number) => (number <= index ? source : completing(server, source)));
}

/** Returns what `source` adds to the settings of `server`. Both addresses come from `server`. */
function completing(server: SettingSource, source: SettingSource): SettingSource {
  const difference = addressKeys
    .map((key) => differenceOf(key, server, source))
    .find((text) => text !== undefined);
  const mayUse = (key: SettingKey): boolean =>
    difference === undefined ? !isAddressKey(key) : settingKeys[key].harmless === true;
  return {
    ...(source.problems !== undefined && { problems: source.problems }),
    find: (key) => (mayUse(key) ? source.find(key) : undefined),
    // A connection that names its server is the best place for what it lacks.
    ...(server.isConnection !== true && {
      howToSet: (key) => (mayUse(key) ? (source.howToSet?.(key) ?? "") : ""),
    }),
    ignored(key) {
      if (mayUse(key) || difference === undefined || source.isEnvironment !== true)
        return undefined;
      const found = source.find(key);
      return found === undefined || "missing" in found
        ? undefined
        : `${found.place} is not used, because the environment variables are for another server: ${difference}.`;
    },
  };
}

/** Says how the addresses differ, if the source names another server. */
function differenceOf(
  key: AddressKey,
  server: SettingSource,
  source: SettingSource,
): string | undefined {
  const other = addressIn(source, key);
  const address = addressIn(server, key);
  if (other === undefined || other.value === pending || address?.value === pending)
    return undefined;
  if (address === undefined) {
    return `${other.place} is ${displayAddress(key, other.value)}, and the other settings have no ${key}`;
  }
  if (normalized(key, other.value) === normalized(key, address.value)) return undefined;
  return `${other.place} is ${displayAddress(key, other.value)}, but ${address.place} is ${displayAddress(key, address.value)}`;
}

function addressIn(
  source: SettingSource,
  key: AddressKey,
): Extract<FoundSetting, { value: unknown }> | undefined {
  const found = source.find(key);
  return found !== undefined && "value" in found ? found : undefined;
}

function isAddressKey(key: SettingKey): key is AddressKey {
  return (addressKeys as readonly SettingKey[]).includes(key);
}

/** An address may be written with the path that the package appends. */
function normalized(key: AddressKey, value: unknown): string {
  const text = String(value);
  if (!isAddress(text)) return text;
  const { origin, pathname } = new URL(text);
  const appended = key === "baseUrl" ? /\/api\/project\/v5$/ : /\/auth(\/realms\/[^/]+)?$/;
  return origin + pathname.replace(/\/+$/, "").replace(appended, "");
}

/** `reader:secret@host`, without a scheme, also parses as a URL: its scheme is `reader`. */
function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** A wrong address may contain a password. */
function displayAddress(key: AddressKey, value: unknown): string {
  return isAddress(String(value)) ? displayText(normalized(key, value), 200) : "no valid address";
}
