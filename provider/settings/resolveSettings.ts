import type * as ProxyFromEnv from "proxy-from-env";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import {
  InvalidSetting,
  isLoopback,
  toAddress,
  toCertificates,
  toFlag,
  toHeaders,
  toMaxConcurrency,
  toSegment,
  toText,
  toTimeoutSeconds,
} from "./validateSetting.js";
import {
  type FoundSetting,
  pending,
  type SettingKey,
  type SettingSource,
  sourcesOfOneServer,
} from "./settingSources.js";

/** Complete, checked and frozen settings. */
export interface Settings {
  /** Base address of the project routes, `{baseUrl}/api/project/v5`. */
  readonly apiUrl: string;
  /** Address of the realm, `{authUrl}/auth/realms/{realm}`. */
  readonly issuer: string;
  /** Address of the token endpoint. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly username: string;
  readonly password: string;
  readonly scope?: string | undefined;
  readonly timeoutSeconds: number;
  /** PEM texts. */
  readonly caCertificates: readonly string[];
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly maxConcurrency: number;
  /** Address of the proxy for the project routes. It may contain credentials. */
  readonly apiProxy?: string | undefined;
  /** Address of the proxy for the token endpoint. It may contain credentials. */
  readonly tokenProxy?: string | undefined;
  /** Where each setting was found, for messages. */
  readonly origins: Readonly<Partial<Record<SettingKey, string>>>;
  /** Each names a setting that was not used, and says why. */
  readonly warnings: readonly string[];
}

const apiPath = "/api/project/v5";
const authPath = "/auth";

/**
 * Resolves all settings, each from the first source that contains it and may complete the server's.
 *
 * @param findProxy returns the proxy for an address, if there is one.
 * @param origins receives where each setting was found, even if this function throws.
 * @throws ProjectServiceError `SETTINGS_INVALID`. The message names every missing or wrong setting
 *   with its remedy, and never a value.
 */
export function resolveSettings(
  allSources: readonly SettingSource[],
  findProxy: (address: string) => string | undefined = proxyOfEnvironment,
  origins: Partial<Record<SettingKey, string>> = {},
): Settings {
  const sources = sourcesOfOneServer(allSources);
  const problems = sources.flatMap((source) => source.problems ?? []);
  const warnings = new Set<string>();

  function find(key: SettingKey): FoundSetting | undefined {
    for (const source of sources) {
      const found = source.find(key);
      if (found === undefined) continue;
      if ("origin" in found) origins[key] = found.origin;
      return found;
    }
    const ignored = sources.map((source) => source.ignored?.(key)).find(Boolean);
    if (ignored !== undefined) warnings.add(ignored);
    return undefined;
  }

  function parsed<T>(found: FoundSetting, parse: (value: unknown) => T): T | undefined {
    if ("missing" in found || found.value === pending) return undefined;
    try {
      return parse(found.value);
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error;
      problems.push(`${found.place} ${error.message}. ${found.remedy}`);
      return undefined;
    }
  }

  function optional<T>(key: SettingKey, parse: (value: unknown) => T): T | undefined {
    const found = find(key);
    return found === undefined ? undefined : parsed(found, parse);
  }

  function isPending(key: SettingKey): boolean {
    const found = find(key);
    return found !== undefined && "value" in found && found.value === pending;
  }

  function required<T>(key: SettingKey, parse: (value: unknown) => T, fallback: T): T {
    const found = find(key);
    if (found !== undefined && !("missing" in found)) return parsed(found, parse) ?? fallback;
    problems.push(
      found?.missing ??
        [
          `${key} is missing. ${sources.map((source) => source.howToSet?.(key) ?? "").join("")}`,
          ...sources.map((source) => source.ignored?.(key)).filter(Boolean),
        ].join(" "),
    );
    return fallback;
  }

  const insecureHttp = optional("insecureHttp", toFlag) ?? isPending("insecureHttp");
  const baseUrl = required("baseUrl", (value) => toAddress(value, insecureHttp, apiPath), "");
  const realmPath = `/realms/${encodeURIComponent(required("realm", toSegment, ""))}`;
  const authUrl = required(
    "authUrl",
    (value) => toAddress(value, insecureHttp, authPath, realmPath),
    "",
  );
  const issuer = `${authUrl}${authPath}${realmPath}`;

  /** Loopback addresses never use a proxy. */
  function proxyFor(key: SettingKey, address: string): string | undefined {
    if (address === "" || isLoopback(new URL(address).hostname)) return undefined;
    const proxy = findProxy(address);
    const problem = proxy === undefined ? undefined : problemOfProxy(proxy);
    if (problem === undefined) return proxy;
    problems.push(
      `The proxy for ${key} ${problem}. Change HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, or add the host to NO_PROXY.`,
    );
    return undefined;
  }

  const settings: Settings = {
    apiUrl: `${baseUrl}${apiPath}`,
    issuer,
    tokenUrl: `${issuer}/protocol/openid-connect/token`,
    clientId: required("clientId", toText, ""),
    clientSecret: optional("clientSecret", toText),
    username: required("username", toText, ""),
    password: required("password", toText, ""),
    scope: optional("scope", toText),
    timeoutSeconds: optional("timeoutSeconds", toTimeoutSeconds) ?? 15,
    caCertificates: optional("caCertificate", toCertificates) ?? [],
    headers: optional("headers", toHeaders) ?? {},
    maxConcurrency: optional("maxConcurrency", toMaxConcurrency) ?? 16,
    apiProxy: proxyFor("baseUrl", baseUrl),
    tokenProxy: proxyFor("authUrl", authUrl),
    origins: Object.freeze(origins),
    warnings: Object.freeze([...warnings]),
  };
  if (problems.length > 0) throw settingsInvalid(problems);
  Object.freeze(settings.headers);
  return Object.freeze(settings);
}

function settingsInvalid(problems: string[]): ProjectServiceError {
  return new ProjectServiceError(
    "SETTINGS_INVALID",
    `The settings of the Project Service are incomplete or wrong:\n${problems
      .map((problem) => `  - ${problem}`)
      .join("\n")}`,
  );
}

/** Reads HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, in upper or lower case. */
function proxyOfEnvironment(address: string): string | undefined {
  if (!Object.keys(process.env).some((name) => /_proxy$/i.test(name))) return undefined;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only if there is a proxy
  const { getProxyForUrl } = require("proxy-from-env") as typeof ProxyFromEnv;
  const proxy = getProxyForUrl(address);
  if (proxy === "") return undefined;
  const scheme = address.split(":", 1)[0] as string;
  const written = variable(`${scheme}_proxy`) || variable("all_proxy");
  // The library adds the scheme of the server to an address without one. Proxies use http by default.
  return written.includes("://") ? proxy : `http://${written}`;
}

/** Returns the value that the library reads. */
function variable(name: string): string {
  return process.env[name] || process.env[name.toUpperCase()] || "";
}

function problemOfProxy(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    return "must have an http or https address";
  }
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    return "has more than a host and a port: write each literal /, ? and # in its user name or password as %2F, %3F and %23";
  }
  try {
    decodeURIComponent(url.username + url.password);
    return undefined;
  } catch {
    return "contains an invalid % in its user name or password: write each literal % as %25";
  }
}
