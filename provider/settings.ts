import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ConnectionSettings } from "./connectionSettings.js";
import { ProjectServiceError } from "./errors.js";
import { hasControlCharacters } from "./projectId.js";

/** Connection settings resolved: complete, checked and frozen. */
export interface Settings {
  /** Base address of the project routes, `{baseUrl}/api/project/v5`. */
  readonly apiUrl: string;
  /** The realm's address, `{authUrl}/auth/realms/{realm}`. */
  readonly issuer: string;
  /** The realm's token endpoint. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly username: string;
  readonly password: string;
  readonly scope?: string | undefined;
  readonly timeoutSeconds: number;
  /** Each as PEM text. */
  readonly caCertificates: readonly string[];
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly maxConcurrency: number;
  /** Address of the proxy on the way to the project routes; may hold credentials. */
  readonly apiProxy?: string | undefined;
  /** Address of the proxy on the way to the token endpoint; may hold credentials. */
  readonly tokenProxy?: string | undefined;
}

export type SettingKey = keyof ConnectionSettings;

/** A setting as it was found: text from config or the environment, a typed value from a program. */
export interface FoundSetting {
  /** {@link pending} for a value that comes later. */
  readonly value: unknown;
  /** Where it was found, as the user knows the place: `project-service:realm`. */
  readonly source: string;
  /** How to correct it there, as a sentence. */
  readonly remedy: string;
}

/** Where settings come from. */
export interface SettingSource {
  find(key: SettingKey): FoundSetting | undefined;
  /** How to provide one that is missing, as a sentence. */
  remedy(key: SettingKey): string;
  /** The proxy for an address, if there is to be one. */
  proxyFor(address: string): string | undefined;
  /** What is wrong besides, such as keys that there are not. */
  readonly problems: readonly string[];
}

/** Stands for a value that is not there yet: it is not missing, and not checked either. */
export const pending = Symbol("pending");

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

const apiPath = "/api/project/v5";
const authPath = "/auth";

/** Headers that belong to the request itself: another value would break or redirect it. */
const reservedHeaders = new Set([
  "accept-encoding",
  "authorization",
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Resolves all settings at once.
 *
 * @throws ProjectServiceError `SETTINGS_INVALID`, which names every missing or wrong one with its
 *   remedy, and never a value.
 */
export function resolveSettings(source: SettingSource): Settings {
  const problems = [...source.problems];

  function parsed<T>(found: FoundSetting, parse: (value: unknown) => T): T | undefined {
    if (found.value === pending) return undefined;
    try {
      return parse(found.value);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problems.push(`${found.source} ${error.message}. ${found.remedy}`);
      return undefined;
    }
  }

  function read<T>(key: SettingKey, parse: (value: unknown) => T): T | undefined {
    const found = source.find(key);
    return found === undefined ? undefined : parsed(found, parse);
  }

  function need<T>(key: SettingKey, parse: (value: unknown) => T, fallback: T): T {
    const found = source.find(key);
    if (found !== undefined) return parsed(found, parse) ?? fallback;
    problems.push(`${key} is missing. ${source.remedy(key)}`);
    return fallback;
  }

  const insecureHttp = read("insecureHttp", toFlag) ?? false;
  const baseUrl = need("baseUrl", (value) => toAddress(value, insecureHttp, apiPath), "");
  const authUrl = need("authUrl", (value) => toAddress(value, insecureHttp, authPath), "");
  const issuer = `${authUrl}${authPath}/realms/${encodeURIComponent(need("realm", toSegment, ""))}`;

  /** Loopback is reached directly, whatever the proxy. */
  function proxyFor(key: SettingKey, address: string): string | undefined {
    if (address === "" || isLoopback(new URL(address).hostname)) return undefined;
    const proxy = source.proxyFor(address);
    if (proxy === undefined || /^https?:$/.test(protocolOf(proxy))) return proxy;
    problems.push(
      `the proxy that the environment names for ${key} is not an http or https address. Change HTTPS_PROXY or HTTP_PROXY, or name the host in NO_PROXY.`,
    );
    return undefined;
  }

  const settings: Settings = {
    apiUrl: `${baseUrl}${apiPath}`,
    issuer,
    tokenUrl: `${issuer}/protocol/openid-connect/token`,
    clientId: need("clientId", toText, ""),
    clientSecret: read("clientSecret", toText),
    username: need("username", toText, ""),
    password: need("password", toText, ""),
    scope: read("scope", toText),
    timeoutSeconds: read("timeoutSeconds", (value) => toNumber(value, 0.001, 3600)) ?? 15,
    caCertificates: read("caCertificate", toCertificates) ?? [],
    headers: read("headers", toHeaders) ?? {},
    maxConcurrency: read("maxConcurrency", (value) => toInteger(value, 1, 256)) ?? 16,
    apiProxy: proxyFor("baseUrl", baseUrl),
    tokenProxy: proxyFor("authUrl", authUrl),
  };
  if (problems.length > 0) throw settingsInvalid(problems);
  Object.freeze(settings.headers);
  return Object.freeze(settings);
}

function settingsInvalid(problems: string[]): ProjectServiceError {
  return new ProjectServiceError(
    "SETTINGS_INVALID",
    `The settings of the Project Service are not complete and correct:\n${problems
      .map((problem) => `  - ${problem}`)
      .join("\n")}`,
  );
}

/** What is wrong with a setting, to follow its name; never holds the value. */
class Problem extends Error {}

function toText(value: unknown): string {
  if (typeof value !== "string") throw new Problem("must be a string");
  if (value === "") throw new Problem("is empty");
  return value;
}

function toSegment(value: unknown): string {
  const text = toText(value);
  if (text === "." || text === ".." || !text.isWellFormed() || hasControlCharacters(text)) {
    throw new Problem("is not a name that can be part of an address");
  }
  return text;
}

/** An address without its trailing slashes, and without `suffix`, which is appended later. */
function toAddress(value: unknown, insecureHttp: boolean, suffix: string): string {
  const text = toText(value);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new Problem("is not an address that starts with https://");
  }
  if (url.username !== "" || url.password !== "") {
    throw new Problem("holds a user name or a password, which have settings of their own");
  }
  if (url.search !== "" || url.hash !== "") {
    throw new Problem("must not have a query or a fragment");
  }
  if (url.protocol === "http:" && !insecureHttp && !isLoopback(url.hostname)) {
    throw new Problem(
      "is plain http, over which passwords are sent in clear: only insecureHttp true allows it beyond loopback",
    );
  }
  const path = url.pathname.replace(/\/+$/, "");
  return url.origin + (path.endsWith(suffix) ? path.slice(0, -suffix.length) : path);
}

function protocolOf(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : "";
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

function toFlag(value: unknown): boolean {
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw new Problem("must be true or false");
}

function toNumber(value: unknown, min: number, max: number): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !(number >= min && number <= max)) {
    throw new Problem(`must be a number from ${min} to ${max}`);
  }
  return number;
}

function toInteger(value: unknown, min: number, max: number): number {
  const number = toNumber(value, min, max);
  if (!Number.isInteger(number)) throw new Problem("must be a whole number");
  return number;
}

function toCertificates(value: unknown): string[] {
  const text = toText(value);
  const pem = text.includes("-----BEGIN ") ? text : readCertificate(text);
  const certificates =
    pem.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
  try {
    for (const certificate of certificates) new X509Certificate(certificate);
  } catch {
    throw new Problem("holds a certificate that cannot be read");
  }
  if (certificates.length === 0) {
    throw new Problem("is neither a certificate in PEM form nor the path of one");
  }
  return certificates;
}

function readCertificate(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new Problem(`names a file that cannot be read (${code})`);
  }
}

function toHeaders(value: unknown): Record<string, string> {
  const parsed = typeof value === "string" ? parseObject(value) : value;
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new Problem("must be an object of header names and values, in config as JSON");
  }
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(parsed)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      throw new Problem("has a name that no header can have");
    if (reservedHeaders.has(name.toLowerCase())) {
      throw new Problem(`must not set ${name}, which the request sets itself`);
    }
    if (typeof text !== "string" || !/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) {
      throw new Problem(`has a value for ${name} that no header can have`);
    }
    headers[name.toLowerCase()] = text;
  }
  return headers;
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
