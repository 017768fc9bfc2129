import { ProjectServiceError } from "./projectServiceError.js";
import {
  type Failure,
  invalidResponseCode,
  type RequestContext,
  requestError,
} from "./requestErrors.js";

/** Makes the error for a response of the project API whose status is not 200. */
export function errorOfStatus(status: number, context: RequestContext): ProjectServiceError {
  if (isRedirect(status)) return errorOfRedirect(status, context);
  const isList = context.projectId === undefined;
  return requestError(context, { status, ...failureOfStatus(status, isList) });
}

function failureOfStatus(status: number, isList: boolean): Omit<Failure, "status"> {
  const responded = `the service responded with status ${status}`;
  switch (status) {
    case 401:
      return {
        code: "TOKEN_REFUSED",
        reason: "the service rejected a new token (401)",
        advice: "Check that the service at baseUrl accepts tokens of authUrl, realm and clientId.",
      };
    case 403:
      return {
        code: "FORBIDDEN",
        reason: "the service denied access (403)",
        advice: `Ask for access to ${isList ? "projects" : "this project"} for the user in the setting username.`,
      };
    case 404:
      return {
        code: "NOT_FOUND",
        reason: `${responded}, not found`,
        advice: isList
          ? "There is no project list at this address. Check baseUrl."
          : "Check projectId, which is the id of the project and not its name. If the project was deleted in the service, restore it there or remove it from the program.",
      };
    case 408:
      return { code: "TIMEOUT", reason: responded, advice: tryLater };
    case 429:
      return {
        code: "RATE_LIMITED",
        reason: `${responded}, too many requests`,
        advice: "Lower maxConcurrency or try again later.",
      };
  }
  if (status >= 500) return { code: "SERVICE_UNAVAILABLE", reason: responded, advice: tryLater };
  return {
    code: "RESPONSE_INVALID",
    reason: `${responded}, which its interface does not define`,
    advice: "Check baseUrl.",
  };
}

/** Makes the error for a response of the token endpoint with neither a token nor an OAuth error. */
export function errorOfLoginStatus(status: number, context: RequestContext): ProjectServiceError {
  if (isRedirect(status)) return errorOfRedirect(status, context);
  const reason = `the identity provider responded with status ${status}`;
  if (status >= 500 || status === 429 || status === 408) {
    return requestError(context, { code: "LOGIN_UNAVAILABLE", status, reason, advice: tryLater });
  }
  return requestError(context, {
    code: "LOGIN_RESPONSE_INVALID",
    status,
    // Status 200 without JSON is most often a web page at a wrong address.
    reason: status === 200 ? "the response is not JSON" : `${reason} and no OAuth error`,
    advice: adviceOnTokenEndpoint,
  });
}

/** The statuses with which a server sends an address to go to. */
function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function errorOfRedirect(status: number, context: RequestContext): ProjectServiceError {
  return requestError(context, {
    code: invalidResponseCode(context),
    status,
    reason: `the response is a redirect (${status}), which is not followed`,
    advice: `Set ${context.urlSetting} to the address to which it leads.`,
  });
}

const tryLater = "Try again later.";
const adviceOnTokenEndpoint =
  "Check authUrl and realm. The token endpoint must be at {authUrl}/auth/realms/{realm}/protocol/openid-connect/token. Servers without /auth in their paths are not supported.";

/**
 * Returns the error for a response of the token endpoint with an OAuth 2.0 error (RFC 6749, section
 * 5.2), or undefined for other responses. Texts of the server select a message, and are never part of
 * it.
 */
export function errorOfRejection(
  status: number,
  json: unknown,
  context: RequestContext,
): ProjectServiceError | undefined {
  const fields = (json ?? {}) as Readonly<Record<string, unknown>>;
  const { error, error_description: description, access_token: token } = fields;
  if (typeof error !== "string" || (token ?? undefined) !== undefined) return undefined;
  // With status 200, any error says that there is no token. With others, it may be a firewall's page.
  const textsOf = Object.hasOwn(texts, error) ? texts[error] : undefined;
  if (textsOf === undefined && status !== 200) return undefined;
  const [reason, advice] = (textsOf ?? texts.invalid_request)(
    typeof description === "string" ? description : "",
  );
  return requestError(context, {
    code: "LOGIN_REJECTED",
    status,
    reason: `${reason} (${status})`,
    advice,
  });
}

/** Adds to the error of a rejected sign-in where the settings that its message names were found. */
export function withOrigins(
  error: unknown,
  origins: Readonly<Partial<Record<string, string>>>,
): unknown {
  if (!(error instanceof ProjectServiceError) || error.code !== "LOGIN_REJECTED") return error;
  const [, text = "", advice = "", url = ""] =
    /^(.* \(\d{3}\)\. (.*?))( \(URL: [^)]*\))?$/s.exec(error.message) ?? [];
  const found = Object.entries(origins)
    .filter(([setting]) => new RegExp(`\\b${setting}\\b`).test(advice))
    .map(
      ([setting, origin], index) =>
        `${index === 0 ? `The setting ${setting} comes` : setting} from ${origin}`,
    );
  if (found.length === 0) return error;
  return new ProjectServiceError(error.code, `${text} ${found.join(", ")}.${url}`, error);
}

type Texts = (description: string) => [reason: string, advice: string];

/** By error code: those of RFC 6749, and Keycloak's for a realm that does not exist. */
const texts: Record<string, Texts> & { invalid_request: Texts } = {
  invalid_grant: (description) => {
    if (/disabled/i.test(description)) {
      return [
        "the user is disabled",
        "Ask an administrator of the identity provider to enable the user in the setting username.",
      ];
    }
    if (/not fully set up/i.test(description)) {
      return [
        "the user's account is not fully set up",
        "Sign in once in a browser as the user in the setting username and complete the account.",
      ];
    }
    return [
      "the user name or the password was rejected",
      "Check username and password. A user who is locked after failed sign-ins gets the same response.",
    ];
  },
  invalid_client: () => ["the client was rejected", "Check clientId and clientSecret."],
  unauthorized_client: (description) =>
    // Keycloak sends this for a wrong clientSecret, instead of invalid_client.
    /invalid client/i.test(description)
      ? ["the client's secret was rejected", "Check clientId and clientSecret."]
      : [
          "the client may not use the password grant",
          "Ask an administrator of the identity provider to enable direct access grants for the client in the setting clientId.",
        ],
  unsupported_grant_type: () => [
    "the password grant is not supported",
    "Check authUrl and realm, and that the client allows direct access grants.",
  ],
  invalid_scope: () => ["the scope was rejected", "Check scope."],
  access_denied: () => ["access was denied", "Check username and clientId."],
  invalid_request: () => [
    "the sign-in was rejected",
    "Check realm, clientId, username and password.",
  ],
  "Realm does not exist": () => ["the realm does not exist", "Check realm."],
};
