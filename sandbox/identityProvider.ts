import { randomBytes } from "node:crypto";

export interface IdentityProviderOptions {
  readonly realm: string;
  readonly clientId: string;
  /** With one, the client is a confidential one. */
  readonly clientSecret?: string | undefined;
  readonly username: string;
  readonly password: string;
  readonly tokenLifetimeSeconds: number;
  readonly refreshTokenLifetimeSeconds: number;
}

export interface Answer {
  readonly status: number;
  readonly body: object;
}

/** Issues tokens as Keycloak does: opaque here, with refresh tokens that can be used once. */
export class IdentityProvider {
  /** Token and the time of its end, in ms. */
  private readonly accessTokens = new Map<string, number>();
  private readonly refreshTokens = new Map<string, number>();
  /** Every token ever issued, access and refresh tokens alike. */
  readonly issued: string[] = [];

  constructor(private readonly options: IdentityProviderOptions) {}

  answer(form: URLSearchParams): Answer {
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
        return takeIfAlive(this.refreshTokens, form.get("refresh_token") ?? "")
          ? this.issue()
          : oauthError(400, "invalid_grant", "Token is not active");
      default:
        return oauthError(400, "unsupported_grant_type", "Unsupported grant_type");
    }
  }

  accepts(accessToken: string): boolean {
    return (this.accessTokens.get(accessToken) ?? 0) > Date.now();
  }

  revokeAccessTokens(): void {
    this.accessTokens.clear();
  }

  revokeRefreshTokens(): void {
    this.refreshTokens.clear();
  }

  private issue(): Answer {
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
    this.issued.push(body.access_token, body.refresh_token);
    const now = Date.now();
    this.accessTokens.set(body.access_token, now + tokenLifetimeSeconds * 1000);
    this.refreshTokens.set(body.refresh_token, now + refreshTokenLifetimeSeconds * 1000);
    return { status: 200, body };
  }
}

function takeIfAlive(tokens: Map<string, number>, token: string): boolean {
  const end = tokens.get(token) ?? 0;
  tokens.delete(token);
  return end > Date.now();
}

function oauthError(status: number, error: string, error_description: string): Answer {
  return { status, body: { error, error_description } };
}
