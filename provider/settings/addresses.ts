import { isUrlSegment } from "../model/projectId.js";
import { InvalidSetting, toText } from "./validateSetting.js";

/** Returns an address without trailing slashes. */
export function toAddress(value: unknown, insecureHttp: boolean): string {
  const text = toText(value);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new InvalidSetting(
      "is not a valid address. It must start with https://, or with http:// on loopback",
    );
  }
  if (url.username + url.password + url.search + url.hash !== "") {
    throw new InvalidSetting("must not contain a user name, a password, a query or a fragment");
  }
  if (url.protocol === "http:" && !insecureHttp && !isLoopback(url.hostname)) {
    throw new InvalidSetting(
      "uses http, which sends passwords in clear text: use https, or set insecureHttp to true",
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Whether a host is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/** Returns a text that can be a segment of a path, such as a realm. */
export function toSegment(value: unknown): string {
  const text = toText(value);
  if (isUrlSegment(text)) return text;
  throw new InvalidSetting("contains characters that cannot be part of an address");
}
