/* Checks the text or the value of a setting, and converts it. Messages never contain the value. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isUrlSegment } from "../model/projectId.js";

/** A problem with a setting. The message follows the name of the setting, and never contains the value. */
export class InvalidSetting extends Error {}

/** Headers that the client sets itself. Another value would break or redirect the request. */
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
  if (!isUrlSegment(text)) {
    throw new InvalidSetting("contains characters that cannot be part of an address");
  }
  return text;
}

/**
 * Returns an address without trailing slashes and without `suffix`, which is appended later.
 *
 * @param afterSuffix may follow the suffix, for instance the path of the realm.
 */
export function toAddress(
  value: unknown,
  insecureHttp: boolean,
  suffix: string,
  afterSuffix = "",
): string {
  const text = toText(value);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new InvalidSetting(
      "is not a valid address. It must start with https://, or with http:// on loopback",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new InvalidSetting(
      "must not contain a user name or a password: use the settings username and password",
    );
  }
  if (url.search !== "" || url.hash !== "") {
    throw new InvalidSetting("must not contain a query or a fragment");
  }
  if (url.protocol === "http:" && !insecureHttp && !isLoopback(url.hostname)) {
    throw new InvalidSetting(
      "uses http, which sends passwords in clear text: use https, or set insecureHttp to true",
    );
  }
  const path = url.pathname.replace(/\/+$/, "");
  const ending = [suffix + afterSuffix, suffix].find((text) => path.endsWith(text)) ?? "";
  return url.origin + path.slice(0, path.length - ending.length);
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

export function toFlag(value: unknown): boolean {
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw new InvalidSetting("must be true or false");
}

/** Seconds, from 1 ms to 1 hour. */
export function toTimeoutSeconds(value: unknown): number {
  return toNumber(value, 0.001, 3_600);
}

export function toMaxConcurrency(value: unknown): number {
  const number = toNumber(value, 1, 256);
  if (!Number.isInteger(number)) throw new InvalidSetting("must be an integer");
  return number;
}

function toNumber(value: unknown, min: number, max: number): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !(number >= min && number <= max)) {
    throw new InvalidSetting(`must be a number from ${min} to ${max}`);
  }
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
    throw new InvalidSetting("contains an invalid certificate");
  }
  if (certificates.length === 0) {
    throw new InvalidSetting("must be a certificate in PEM form, or the path of a PEM file");
  }
  return certificates;
}

function readCertificate(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new InvalidSetting(`is the path of a file that cannot be read (${code})`);
  }
}

export function toHeaders(value: unknown): Record<string, string> {
  const parsed = typeof value === "string" ? parseObject(value) : value;
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new InvalidSetting(
      "must be an object of header names and values (in config and environment: JSON)",
    );
  }
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(parsed)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      throw new InvalidSetting("contains an invalid header name");
    if (reservedHeaders.has(name.toLowerCase())) {
      throw new InvalidSetting(
        `must not contain ${name}, because the package sets this header itself`,
      );
    }
    if (typeof text === "number") {
      throw new InvalidSetting(`has a number as value of ${name}, which must be a string`);
    }
    if (typeof text !== "string" || !/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) {
      throw new InvalidSetting(`has an invalid value for the header ${name}`);
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
