import { parseCertificates } from "./certificates.js";
import type { ConnectionSettings } from "./connectionSettings.js";
import {
  parseAddress,
  parseFlag,
  parseHeaders,
  parseNumber,
  parseSegment,
  parseText,
} from "./parseSetting.js";

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
  /** Whether a message must not contain the value. */
  readonly isSecret: boolean;
}

export interface Setting<T = unknown> {
  /** Checks a value of a program, or the text of config or environment, and converts it. */
  readonly parse: (value: unknown, context: ParseContext) => T;
  readonly required?: true;
  readonly secret?: true;
  /** Sources that differ in a setting of the server or the user are not mixed. A limit counts from any source. */
  readonly role?: "server" | "user" | "limit";
  readonly default?: T;
  /** For the table in docs/settings.md. */
  readonly description: string;
}

// The default replaces a value that arrives later. A missing value is an error.
const ofServer = { required: true, role: "server", default: "" } as const;
const ofUser = { required: true, role: "user", default: "" } as const;

/** All settings, in the order in which people fill them in. */
export const settingsTable: { readonly [K in SettingKey]: Setting<ParsedSettings[K]> } = {
  baseUrl: {
    ...ofServer,
    parse: parseAddress,
    description: "address of the service, without `/api/project/v5`",
  },
  authUrl: {
    ...ofServer,
    parse: parseAddress,
    description:
      "address of the identity provider, without `/auth/realms/…`, or of its realm, which ends with `/realms/<realm>`",
  },
  realm: {
    ...ofServer,
    parse: parseSegment,
    description: "its realm, unless `authUrl` ends with it",
  },
  clientId: { ...ofUser, parse: parseText, description: "the registered client" },
  username: { ...ofUser, parse: parseText, description: "the user who reads" },
  password: {
    required: true,
    secret: true,
    default: "",
    parse: parseText,
    description: "the user's password",
  },
  clientSecret: { secret: true, parse: parseText, description: "secret of a confidential client" },
  scope: { parse: parseText, description: "OAuth scope" },
  timeoutSeconds: {
    role: "limit",
    default: 15,
    parse: (value) => parseNumber(value, 0.001, 3_600),
    description: "limit of an attempt",
  },
  maxConcurrency: {
    role: "limit",
    default: 16,
    parse: (value) => parseNumber(value, 1, 256, "an integer"),
    description: "requests at the same time, 1 to 256",
  },
  caCertificate: {
    default: Object.freeze([]),
    parse: parseCertificates,
    description: "a certificate authority to trust, as PEM text or path",
  },
  insecureHttp: {
    parse: parseFlag,
    description: "`true` allows `http` to any host, which sends passwords in clear text",
  },
  headers: {
    secret: true,
    default: Object.freeze({}),
    parse: parseHeaders,
    description: "headers for both servers, as a JSON object",
  },
};

/** Returns the realm in the address of a realm. Servers such as Keycloak 17 and newer have no `/auth` before it. */
export function realmIn(authUrl: string): string | undefined {
  return /\/realms\/([^/]+)\/*$/.exec(authUrl)?.[1];
}

export const settingKeys = Object.keys(settingsTable) as readonly SettingKey[];
