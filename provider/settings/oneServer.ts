/*
 * Which settings may reach which server. The first source with an address names the server. A later
 * source completes its settings only if it names no other server. Otherwise one server could receive
 * the secrets of another.
 */
import { displayText } from "../errors/displayText.js";
import {
  type FoundSetting,
  pending,
  type SettingKey,
  type SettingSource,
} from "./settingSources.js";

const addressKeys = ["baseUrl", "authUrl"] as const;
type AddressKey = (typeof addressKeys)[number];

/** Settings that tell no server anything about another one. */
const harmlessKeys: ReadonlySet<SettingKey> = new Set<SettingKey>([
  "timeoutSeconds",
  "maxConcurrency",
]);

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
    difference === undefined ? !isAddressKey(key) : harmlessKeys.has(key);
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
