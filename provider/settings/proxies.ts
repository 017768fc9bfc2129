import type * as ProxyFromEnv from "proxy-from-env";
import { InvalidSetting, isLoopback } from "./parseSetting.js";

/** Returns the proxy that the environment names for an address. Loopback never uses a proxy. */
export function proxyFor(address: string): string | undefined {
  const name = address === "" ? undefined : proxyVariable(address);
  if (name === undefined) return undefined;
  const written = process.env[name] ?? "";
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

/** Returns the name of the variable with the proxy of an address that is not loopback. `NO_PROXY` can exclude the address. */
export function proxyVariable(address: string): string | undefined {
  const { protocol, hostname } = new URL(address);
  if (isLoopback(hostname)) return undefined;
  return variable(protocol.replace(":", "_proxy")) ?? variable("all_proxy");
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
