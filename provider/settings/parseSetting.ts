/* Checks the text or the value of a setting, and converts it. */
import { isUrlSegment } from "../model/projectId.js";

/** A problem with a setting. The message follows the name of the setting, and contains no value. */
export class InvalidSetting extends Error {
  constructor(
    message: string,
    /** Says what to do. Default: the remedy of the place where the setting was found. */
    readonly remedy?: string,
    /** The subject of the message. Default: the setting. */
    readonly origin?: string,
  ) {
    super(message);
  }
}

export function parseText(value: unknown): string {
  if (typeof value !== "string") throw new InvalidSetting("must be a string");
  if (value === "") throw new InvalidSetting("is empty");
  return value;
}

/** Returns an address without trailing slashes, and without the path of the project API, which is added later. */
export function parseAddress(value: unknown, { allowsHttp }: { allowsHttp: boolean }): string {
  const text = parseText(value);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new InvalidSetting("is not a valid address. It must start with https:// or http://");
  }
  if (url.username + url.password + url.search + url.hash !== "") {
    throw new InvalidSetting("must not contain a user name, a password, a query or a fragment");
  }
  if (url.protocol === "http:" && !allowsHttp && !isLoopback(url.hostname)) {
    throw new InvalidSetting(
      "uses http, which sends passwords in clear text. Use https, or set insecureHttp to true",
    );
  }
  return url.origin + url.pathname.replace(/(\/api\/project\/v5)?\/*$/, "");
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/** For a segment of a path, such as a realm. */
export function parseSegment(value: unknown): string {
  const text = parseText(value);
  if (isUrlSegment(text)) return text;
  throw new InvalidSetting("contains characters that cannot be part of an address");
}

export function parseFlag(value: unknown): boolean {
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw new InvalidSetting("must be true or false");
}

export function parseNumber(value: unknown, min: number, max: number, kind = "a number"): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  const isInRange = typeof number === "number" && number >= min && number <= max;
  if (isInRange && (kind === "a number" || Number.isInteger(number))) return number;
  throw new InvalidSetting(`must be ${kind} from ${min} to ${max}`);
}

/** Headers that the client sets itself. Another value would break, redirect or change the request. */
const reservedHeader =
  /^(accept|accept-encoding|authorization|connection|content-length|content-type|expect|host|trailer|transfer-encoding|upgrade|x-http-method|x-(http-)?method-override)$/i;

export function parseHeaders(value: unknown): Readonly<Record<string, string>> {
  let parsed = value;
  try {
    if (typeof value === "string") parsed = JSON.parse(value);
  } catch {
    // Not JSON. The check below refuses the text.
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new InvalidSetting("must be a JSON object of header names and values");
  }
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(parsed)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw new InvalidSetting("contains an invalid header name");
    }
    if (reservedHeader.test(name)) {
      throw new InvalidSetting(`must not contain ${name}, which the package decides itself`);
    }
    if (typeof text !== "string" || !/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) {
      throw new InvalidSetting(
        `contains a value for ${name} that is not a string of printable characters`,
      );
    }
    headers[name.toLowerCase()] = text;
  }
  return Object.freeze(headers);
}
