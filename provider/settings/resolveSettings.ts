import { ProjectServiceError } from "../errors/projectServiceError.js";
import { type FoundSettings, pending } from "./foundSettings.js";
import { InvalidSetting } from "./parseSetting.js";
import { proxyFor } from "./proxies.js";
import {
  type ParsedSettings,
  realmIn,
  type Setting,
  type SettingKey,
  settingKeys,
  settingsTable,
} from "./settingsTable.js";

/** Complete, checked and frozen settings. */
export interface Settings extends Pick<
  ParsedSettings,
  "clientId" | "username" | "password" | "timeoutSeconds" | "maxConcurrency" | "headers"
> {
  /** Base address of the project routes, `{baseUrl}/api/project/v5`. */
  readonly apiUrl: string;
  /** Address of the realm: `authUrl`, or `{authUrl}/auth/realms/{realm}`. */
  readonly issuer: string;
  readonly tokenUrl: string;
  readonly clientSecret?: string | undefined;
  readonly scope?: string | undefined;
  /** PEM texts. */
  readonly caCertificates: readonly string[];
  /** Addresses of proxies may contain credentials. */
  readonly apiProxy?: string | undefined;
  readonly tokenProxy?: string | undefined;
}

/** Checks settings, and completes them with their defaults. The error names every wrong setting, and no value. */
export function resolveSettings(
  { values, problems: foundProblems }: FoundSettings,
  folder = process.cwd(),
): Settings {
  const problems = [...foundProblems];
  const { value: insecureHttp } = values.insecureHttp ?? {};
  const allowsHttp = insecureHttp === pending || insecureHttp === true || insecureHttp === "true";

  /** Reports a problem that `check` finds in a setting, and then returns undefined. */
  function checked<T>(key: SettingKey, check: Setting<T>["parse"]): T | undefined {
    const setting = values[key];
    if (setting === undefined || setting.value === pending) return undefined;
    try {
      return check(setting.value, { folder, allowsHttp });
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error;
      const { message, origin = setting.origin, remedy = setting.remedy } = error;
      problems.push(`${origin} ${message}. ${remedy}`);
      return undefined;
    }
  }

  const entries = settingKeys.map((key) => {
    const { parse, default: byDefault } = settingsTable[key];
    return [key, checked<unknown>(key, parse) ?? byDefault];
  });
  const parsed = Object.fromEntries(entries) as ParsedSettings;
  const { baseUrl, authUrl, realm, caCertificate, insecureHttp: _, ...others } = parsed;
  const realmInUrl = realmIn(authUrl);
  checked("realm", () => {
    if (realmInUrl === undefined || [realm, encodeURIComponent(realm)].includes(realmInUrl)) return;
    throw new InvalidSetting("is not the realm in authUrl", "Remove it, or correct authUrl.");
  });
  const issuer =
    realmInUrl === undefined ? `${authUrl}/auth/realms/${encodeURIComponent(realm)}` : authUrl;
  const settings: Settings = {
    ...others,
    apiUrl: `${baseUrl}/api/project/v5`,
    issuer,
    tokenUrl: `${issuer}/protocol/openid-connect/token`,
    caCertificates: caCertificate,
    apiProxy: checked("baseUrl", () => proxyFor(baseUrl)),
    tokenProxy: checked("authUrl", () => proxyFor(authUrl)),
  };
  if (problems.length === 0) return Object.freeze(settings);
  const lines = [...new Set(problems)].map((problem) => `  - ${problem}`);
  throw new ProjectServiceError(
    "SETTINGS_INVALID",
    `The settings of the Project Service are incomplete or wrong:\n${lines.join("\n")}`,
  );
}
