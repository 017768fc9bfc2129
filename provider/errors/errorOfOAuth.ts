import { ProjectServiceError } from "./projectServiceError.js";
import { type RequestContext, requestError } from "./requestContext.js";

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

/** Where user name and password were found. */
export interface CredentialOrigins {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** Adds to the error of a rejected sign-in where user name and password were found. */
export function withOrigins(error: unknown, { username, password }: CredentialOrigins): unknown {
  if (!(error instanceof ProjectServiceError) || error.code !== "LOGIN_REJECTED") return error;
  if (username === undefined || password === undefined) return error;
  const origins = `The user name comes from ${username}, the password from ${password}.`;
  const message = error.message.replace(/(?= \(URL: [^)]*\)$)/, ` ${origins}`);
  return new ProjectServiceError(error.code, message, error);
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
