import type * as ProxyFromEnv from "proxy-from-env";
import { InvalidSetting, isLoopback } from "./parseSetting.js";

/** Returns the proxy that the environment names for an address. Loopback never uses a proxy. */
export function proxyFor(address: string): string | undefined {
  if (address === "") return undefined;
  const { protocol, hostname } = new URL(address);
  const name = variable(protocol.replace(":", "_proxy")) ?? variable("all_proxy") ?? "";
  const written = process.env[name] ?? "";
  if (written === "" || isLoopback(hostname)) return undefined;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only if there is a proxy
  const { getProxyForUrl } = require("proxy-from-env") as typeof ProxyFromEnv;
  if (getProxyForUrl(address) === "") return undefined;
  const proxy = written.includes("://") ? written : `http://${written}`;
  if (isProxy(proxy)) return proxy;
  throw new InvalidSetting(
    "must be an http or https address without a path, a query or a fragment",
    "Change it, or add the host to NO_PROXY. In the user name and the password of a proxy, write each literal /, ?, # and % as %2F, %3F, %23 and %25.",
    name,
  );
}

function variable(name: string): string | undefined {
  return [name, name.toUpperCase()].find((candidate) => process.env[candidate]);
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
