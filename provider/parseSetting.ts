/* How the text or value of a setting is checked and read. No message holds the value. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { hasControlCharacters } from "./projectId.js";

/** What is wrong with a setting, to follow its name; never holds the value. */
export class InvalidSetting extends Error {}

/** Headers that belong to the request itself: another value would break or redirect it. */
const reservedHeaders = new Set([
  "accept-encoding",
  "authorization",
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

export function toText(value: unknown): string {
  if (typeof value !== "string") throw new InvalidSetting("must be a string");
  if (value === "") throw new InvalidSetting("is empty");
  return value;
}

export function toSegment(value: unknown): string {
  const text = toText(value);
  if (text === "." || text === ".." || !text.isWellFormed() || hasControlCharacters(text)) {
    throw new InvalidSetting("is not a name that can be part of an address");
  }
  return text;
}

/** An address without its trailing slashes, and without `suffix`, which is appended later. */
export function toAddress(value: unknown, insecureHttp: boolean, suffix: string): string {
  const text = toText(value);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new InvalidSetting("is not an address that starts with https://");
  }
  if (url.username !== "" || url.password !== "") {
    throw new InvalidSetting("holds a user name or a password, which have settings of their own");
  }
  if (url.search !== "" || url.hash !== "") {
    throw new InvalidSetting("must not have a query or a fragment");
  }
  if (url.protocol === "http:" && !insecureHttp && !isLoopback(url.hostname)) {
    throw new InvalidSetting(
      "is plain http, over which passwords are sent in clear: only insecureHttp true allows it beyond loopback",
    );
  }
  const path = url.pathname.replace(/\/+$/, "");
  return url.origin + (path.endsWith(suffix) ? path.slice(0, -suffix.length) : path);
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

export function toFlag(value: unknown): boolean {
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw new InvalidSetting("must be true or false");
}

export function toNumber(value: unknown, min: number, max: number): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !(number >= min && number <= max)) {
    throw new InvalidSetting(`must be a number from ${min} to ${max}`);
  }
  return number;
}

export function toInteger(value: unknown, min: number, max: number): number {
  const number = toNumber(value, min, max);
  if (!Number.isInteger(number)) throw new InvalidSetting("must be a whole number");
  return number;
}

export function toCertificates(value: unknown): string[] {
  const text = toText(value);
  const pem = text.includes("-----BEGIN ") ? text : readCertificate(text);
  const certificates =
    pem.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
  try {
    for (const certificate of certificates) new X509Certificate(certificate);
  } catch {
    throw new InvalidSetting("holds a certificate that cannot be read");
  }
  if (certificates.length === 0) {
    throw new InvalidSetting("is neither a certificate in PEM form nor the path of one");
  }
  return certificates;
}

function readCertificate(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new InvalidSetting(`names a file that cannot be read (${code})`);
  }
}

export function toHeaders(value: unknown): Record<string, string> {
  const parsed = typeof value === "string" ? parseObject(value) : value;
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new InvalidSetting("must be an object of header names and values, in config as JSON");
  }
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(parsed)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      throw new InvalidSetting("has a name that no header can have");
    if (reservedHeaders.has(name.toLowerCase())) {
      throw new InvalidSetting(`must not set ${name}, which the request sets itself`);
    }
    if (typeof text === "number") {
      throw new InvalidSetting(`has a number for ${name}, where a header needs a string`);
    }
    if (typeof text !== "string" || !/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) {
      throw new InvalidSetting(`has a value for ${name} that no header can have`);
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
