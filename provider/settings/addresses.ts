/* The addresses of the two servers, what their paths consist of, and the proxies on the way. */
import type * as ProxyFromEnv from "proxy-from-env";
import { argumentInvalid } from "../errors/projectServiceError.js";
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

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/** Returns a text that can be a segment of a path, such as a realm. */
export function toSegment(value: unknown): string {
  const text = toText(value);
  if (isUrlSegment(text)) return text;
  throw new InvalidSetting("contains characters that cannot be part of an address");
}

/** Refuses ids that cannot be a segment of a URL. Throws ProjectServiceError `ARGUMENT_INVALID`. */
export function checkProjectId(projectId: string): void {
  if (isUrlSegment(projectId)) return;
  // Without the id, which may be secret.
  throw argumentInvalid(
    "projectId is not the id of a project: it is empty, or has characters that no id has. Pass the projectId as the service shows it.",
  );
}

/** `encodeURIComponent` does not escape dots, and a segment of dots leads to the parent. */
export function isUrlSegment(text: string): boolean {
  if (text === "" || text === "." || text === ".." || !text.isWellFormed()) return false;
  return !/[\u0000-\u001f\u007f-\u009f]/.test(text);
}

/** Returns the proxy that the environment names for an address. Loopback never uses a proxy. */
export function proxyFor(address: string): string | undefined {
  if (address === "") return undefined;
  const { protocol, hostname } = new URL(address);
  const written = variable(protocol.replace(":", "_proxy")) || variable("all_proxy");
  if (written === "" || isLoopback(hostname)) return undefined;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only if there is a proxy
  const { getProxyForUrl } = require("proxy-from-env") as typeof ProxyFromEnv;
  if (getProxyForUrl(address) === "") return undefined;
  const proxy = written.includes("://") ? written : `http://${written}`;
  if (isProxy(proxy)) return proxy;
  throw new InvalidSetting(
    "has a proxy that is not an http or https address with nothing but a host and a port",
    "Change HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, or add the host to NO_PROXY. In the user name and the password of a proxy, write each literal /, ?, # and % as %2F, %3F, %23 and %25.",
  );
}

function variable(name: string): string {
  return process.env[name] || process.env[name.toUpperCase()] || "";
}

function isProxy(text: string): boolean {
  try {
    const { protocol, username, password, pathname, search, hash } = new URL(text);
    decodeURIComponent(username + password);
    return /^https?:$/.test(protocol) && pathname + search + hash === "/";
  } catch {
    return false;
  }
}
