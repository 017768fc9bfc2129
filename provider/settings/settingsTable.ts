import { parseCertificates } from "./certificates.js";
import {
  parseAddress,
  parseFlag,
  parseHeaders,
  parseNumber,
  parseSegment,
  parseText,
} from "./parseSetting.js";

/**
 * The settings of a connection: which Project Service to read, and as which user. The keys are also
 * the config keys of this package.
 *
 * An object is complete in itself. Keys that are optional have their default, and nothing else comes
 * from the stack config or the environment.
 */
export interface ConnectionSettings {
  /** Address of the service, with or without `/api/project/v5`. */
  baseUrl: string;
  /** Address of the identity provider, without `/auth/realms/{realm}`, or of its realm: it then ends with `/realms/<realm>`. */
  authUrl: string;
  /** Realm of the identity provider. Required unless `authUrl` ends with it. */
  realm?: string | undefined;
  /** The registered client. */
  clientId: string;
  /** Secret of a confidential client. A public client has none. Secret. */
  clientSecret?: string | undefined;
  /** Name of the user who reads. */
  username: string;
  /** The user's password. Secret. */
  password: string;
  /** OAuth scope to request. Default: the default scopes of the client. */
  scope?: string | undefined;
  /** Limit of one attempt of a request, in seconds, from connecting to the last byte. Default 15. */
  timeoutSeconds?: number | undefined;
  /** A certificate authority to trust in addition to the default ones: PEM text, or the path of a PEM file. */
  caCertificate?: string | undefined;
  /** Allows plain `http` to other hosts than loopback. Passwords are then sent in clear text. Default false. */
  insecureHttp?: boolean | undefined;
  /** Headers for every request, for instance for a gateway. Their values are secret. */
  headers?: Record<string, string> | undefined;
  /** Maximum number of reads at the same time, 1 to 256. Default 16. */
  maxConcurrency?: number | undefined;
}

/** The name of a setting. */
export type SettingKey = keyof ConnectionSettings;

/** The settings after their checks. A certificate is then a list of PEM texts. */
export type ParsedSettings = {
  readonly [K in SettingKey]: K extends "caCertificate"
    ? readonly string[]
    : NonNullable<ConnectionSettings[K]>;
};

interface ParseContext {
  /** Whether `http` is allowed to any host, and not only to loopback. */
  readonly allowsHttp: boolean;
  /** The folder of the Pulumi project, or one in it. */
  readonly folder: string;
}

/** What is known of a setting. */
export interface Setting<T = unknown> {
  /** Checks a value of a program, or the text of config or environment, and converts it. */
  readonly parse: (value: unknown, context: ParseContext) => T;
  /** Whether it must not be missing. Default false. */
  readonly required?: true;
  /** Whether it must not be stored in clear text. Default false. */
  readonly secret?: true;
  /** Whether `check` shows its value. Default false. */
  readonly shown?: true;
  /** Its value if it is missing, or arrives later. */
  readonly default?: T;
}

// The default replaces a value that arrives later. A missing value is an error.
const required = { required: true, default: "" } as const;

/** All settings, in the order in which people fill them in. */
export const settingsTable: { readonly [K in SettingKey]: Setting<ParsedSettings[K]> } = {
  baseUrl: { ...required, shown: true, parse: parseAddress },
  authUrl: { ...required, shown: true, parse: parseAddress },
  realm: { ...required, shown: true, parse: parseSegment },
  clientId: { ...required, parse: parseText },
  username: { ...required, parse: parseText },
  password: { ...required, secret: true, parse: parseText },
  clientSecret: { secret: true, parse: parseText },
  scope: { parse: parseText },
  timeoutSeconds: { shown: true, default: 15, parse: (value) => parseNumber(value, 0.001, 3_600) },
  maxConcurrency: {
    shown: true,
    default: 16,
    parse: (value) => parseNumber(value, 1, 256, "an integer"),
  },
  caCertificate: { default: Object.freeze([]), parse: parseCertificates },
  insecureHttp: { parse: parseFlag },
  headers: { secret: true, default: Object.freeze({}), parse: parseHeaders },
};

/** Returns the realm in the address of a realm. Servers such as Keycloak 17 and newer have no `/auth` before it. */
export function realmIn(authUrl: string): string | undefined {
  return /\/realms\/([^/]+)\/*$/.exec(authUrl)?.[1];
}

/** The names of all settings. */
export const settingKeys = Object.keys(settingsTable) as readonly SettingKey[];
