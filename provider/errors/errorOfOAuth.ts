import type { ProjectServiceError } from "./projectServiceError.js";
import { type RequestContext, requestError } from "./requestContext.js";

/** An OAuth 2.0 error of the token endpoint (RFC 6749, section 5.2), as openid-client reports it. */
export interface OAuthError {
  readonly status: number;
  readonly error: string;
  readonly error_description?: string | undefined;
}

export function isOAuthError(error: unknown): error is OAuthError {
  return (error as { code?: unknown } | null)?.code === "OAUTH_RESPONSE_BODY_ERROR";
}

/** Tells OAuth errors from other JSON with a field `error`, such as the page of a firewall. */
export function isOAuthErrorCode(error: string): boolean {
  return Object.hasOwn(texts, error);
}

/** Makes the error for a rejected sign-in. Texts of the server select a message, and are never part of it. */
export function errorOfOAuth(
  { status, error, error_description = "" }: OAuthError,
  context: RequestContext,
  origins: CredentialOrigins = {},
): ProjectServiceError {
  const [reason, advice] = (texts[error] ?? texts["invalid_request"])(error_description);
  return requestError(context, {
    code: "LOGIN_REJECTED",
    status,
    reason: `${reason} (${status})`,
    advice: advice + originsText(origins),
  });
}

/** Where user name and password were found. */
export interface CredentialOrigins {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

function originsText({ username, password }: CredentialOrigins): string {
  if (username === undefined || password === undefined) return "";
  return ` The user name comes from ${username}, the password from ${password}.`;
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
