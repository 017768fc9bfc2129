import { randomBytes } from "node:crypto";

export interface IdentityProviderOptions {
  readonly clientId: string;
  /** If set, the client is a confidential client. */
  readonly clientSecret?: string | undefined;
  readonly username: string;
  readonly password: string;
  readonly tokenLifetimeSeconds: number;
  readonly refreshTokenLifetimeSeconds: number;
}

export interface JsonResponse {
  readonly status: number;
  readonly body: object;
}

/**
 * Issues tokens with the responses of Keycloak. Its access tokens are random text, not JWTs. A refresh
 * token works once.
 */
export class IdentityProvider {
  /** The expiry of each token, in ms of `Date.now()`. */
  readonly accessTokens = new Map<string, number>();
  readonly refreshTokens = new Map<string, number>();
  /** Every access token and refresh token ever issued. */
  readonly issuedTokens: string[] = [];

  constructor(private readonly options: IdentityProviderOptions) {}

  requestToken(form: URLSearchParams): JsonResponse {
    const { clientId, clientSecret, username, password } = this.options;
    if (form.get("client_id") !== clientId) {
      return oauthError(401, "invalid_client", "Invalid client or Invalid client credentials");
    }
    if (clientSecret !== undefined && form.get("client_secret") !== clientSecret) {
      return oauthError(401, "unauthorized_client", "Invalid client or Invalid client credentials");
    }
    switch (form.get("grant_type")) {
      case "password":
        return form.get("username") === username && form.get("password") === password
          ? this.issue()
          : oauthError(401, "invalid_grant", "Invalid user credentials");
      case "refresh_token":
        return this.useRefreshToken(form.get("refresh_token") ?? "")
          ? this.issue()
          : oauthError(400, "invalid_grant", "Token is not active");
      default:
        return oauthError(400, "unsupported_grant_type", "Unsupported grant_type");
    }
  }

  accepts(accessToken: string): boolean {
    return (this.accessTokens.get(accessToken) ?? 0) > Date.now();
  }

  private useRefreshToken(token: string): boolean {
    const expiryMs = this.refreshTokens.get(token) ?? 0;
    this.refreshTokens.delete(token);
    return expiryMs > Date.now();
  }

  private issue(): JsonResponse {
    const { tokenLifetimeSeconds, refreshTokenLifetimeSeconds } = this.options;
    const body = {
      access_token: randomBytes(32).toString("base64url"),
      expires_in: tokenLifetimeSeconds,
      refresh_expires_in: refreshTokenLifetimeSeconds,
      refresh_token: randomBytes(32).toString("base64url"),
      token_type: "bearer",
      "not-before-policy": 0,
      session_state: randomBytes(16).toString("hex"),
    };
    this.issuedTokens.push(body.access_token, body.refresh_token);
    const nowMs = Date.now();
    this.accessTokens.set(body.access_token, nowMs + tokenLifetimeSeconds * 1000);
    this.refreshTokens.set(body.refresh_token, nowMs + refreshTokenLifetimeSeconds * 1000);
    return { status: 200, body };
  }
}

function oauthError(status: number, error: string, error_description: string): JsonResponse {
  return { status, body: { error, error_description } };
}
