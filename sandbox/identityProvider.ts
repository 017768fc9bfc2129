import { randomBytes } from "node:crypto";
import type { Sandbox } from "./publicTypes.js";

export interface JsonResponse {
  readonly status: number;
  readonly body: object;
}

/** The lifetimes of both tokens, as in the service's interface document. */
const lifetimeSeconds = 900;

/**
 * Issues tokens with the responses of Keycloak. Its access tokens are random text, not JWTs. A refresh
 * token works once.
 */
export class IdentityProvider {
  /** The expiry of each token, in ms of `Date.now()`. */
  private readonly accessTokens = new Map<string, number>();
  private readonly refreshTokens = new Map<string, number>();
  /** Every token so far. */
  readonly issuedTokens: string[] = [];

  /** @param client the client and its only user. With a secret it is a confidential client. */
  constructor(private readonly client: Omit<Sandbox["connection"], "baseUrl" | "authUrl">) {}

  requestToken(form: URLSearchParams): JsonResponse {
    const { clientId, clientSecret, username, password } = this.client;
    if (form.get("client_id") !== clientId) {
      return oauthError(401, "invalid_client", "Invalid client or Invalid client credentials");
    }
    if (clientSecret !== undefined && form.get("client_secret") !== clientSecret) {
      return oauthError(401, "unauthorized_client", "Invalid client or Invalid client credentials");
    }
    if (form.get("grant_type") === "refresh_token") {
      return this.useRefreshToken(form.get("refresh_token") ?? "")
        ? this.issue()
        : oauthError(400, "invalid_grant", "Token is not active");
    }
    return form.get("username") === username && form.get("password") === password
      ? this.issue()
      : oauthError(401, "invalid_grant", "Invalid user credentials");
  }

  accepts(accessToken: string): boolean {
    return (this.accessTokens.get(accessToken) ?? 0) > Date.now();
  }

  private issue(): JsonResponse {
    const body = {
      access_token: randomBytes(32).toString("base64url"),
      expires_in: lifetimeSeconds,
      refresh_expires_in: lifetimeSeconds,
      refresh_token: randomBytes(32).toString("base64url"),
      token_type: "bearer",
      "not-before-policy": 0,
      session_state: randomBytes(16).toString("hex"),
    };
    const expiryMs = Date.now() + lifetimeSeconds * 1000;
    this.accessTokens.set(body.access_token, expiryMs);
    this.refreshTokens.set(body.refresh_token, expiryMs);
    this.issuedTokens.push(body.access_token, body.refresh_token);
    return { status: 200, body };
  }

  private useRefreshToken(token: string): boolean {
    const expiryMs = this.refreshTokens.get(token) ?? 0;
    this.refreshTokens.delete(token);
    return expiryMs > Date.now();
  }
}

function oauthError(status: number, error: string, error_description: string): JsonResponse {
  return { status, body: { error, error_description } };
}
