import { ProjectServiceError } from "../errors/projectServiceError.js";
import { toCertificates } from "./certificates.js";
import type { SettingKey } from "./connectionSettings.js";
import { type FoundSettings, pending } from "./foundSettings.js";
import { proxyFor } from "./proxies.js";
import {
  InvalidSetting,
  toAddress,
  toFlag,
  toHeaders,
  toNumber,
  toSegment,
  toText,
} from "./validateSetting.js";

/** Complete, checked and frozen settings. */
export interface Settings {
  /** Base address of the project routes, `{baseUrl}/api/project/v5`. */
  readonly apiUrl: string;
  /** Address of the realm, `{authUrl}/auth/realms/{realm}`. */
  readonly issuer: string;
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
}

const none = Object.freeze([]);

/**
 * Checks settings, and completes them with their defaults.
 *
 * @param folder the folder of the Pulumi project, or one in it.
 * @throws ProjectServiceError `SETTINGS_INVALID`. The message names every missing or wrong setting
 *   with its remedy, and never a value.
 */
export function resolveSettings(
  { found, missing, problems: otherProblems }: FoundSettings,
  folder = process.cwd(),
): Settings {
  const problems = [...otherProblems];

  function optional<T>(key: SettingKey, parse: (value: unknown) => T): T | undefined {
    const setting = found[key];
    if (setting === undefined || setting.value === pending) return undefined;
    try {
      return parse(setting.value);
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error;
      problems.push(`${setting.origin} ${error.message}. ${error.remedy ?? setting.remedy}`);
      return undefined;
    }
  }

  function required(key: SettingKey, parse: (value: unknown) => string): string {
    if (found[key] === undefined) problems.push(missing(key));
    return optional(key, parse) ?? "";
  }

  const insecureHttp = optional("insecureHttp", toFlag) ?? found.insecureHttp?.value === pending;
  const baseUrl = required("baseUrl", (value) => toAddress(value, insecureHttp));
  const authUrl = required("authUrl", (value) => toAddress(value, insecureHttp));
  const realm = required("realm", toSegment);
  const issuer = `${authUrl}/auth/realms/${encodeURIComponent(realm)}`;
  const settings: Settings = {
    apiUrl: `${baseUrl}/api/project/v5`,
    issuer,
    tokenUrl: `${issuer}/protocol/openid-connect/token`,
    clientId: required("clientId", toText),
    clientSecret: optional("clientSecret", toText),
    username: required("username", toText),
    password: required("password", toText),
    scope: optional("scope", toText),
    timeoutSeconds: optional("timeoutSeconds", (value) => toNumber(value, 0.001, 3_600)) ?? 15,
    caCertificates: optional("caCertificate", (value) => toCertificates(value, folder)) ?? none,
    headers: optional("headers", toHeaders) ?? Object.freeze({}),
    maxConcurrency:
      optional("maxConcurrency", (value) => toNumber(value, 1, 256, "an integer")) ?? 16,
    apiProxy: optional("baseUrl", () => proxyFor(baseUrl)),
    tokenProxy: optional("authUrl", () => proxyFor(authUrl)),
  };
  if (problems.length === 0) return Object.freeze(settings);
  const lines = problems.map((problem) => `  - ${problem}`);
  throw new ProjectServiceError(
    "SETTINGS_INVALID",
    `The settings of the Project Service are incomplete or wrong:\n${lines.join("\n")}`,
  );
}
