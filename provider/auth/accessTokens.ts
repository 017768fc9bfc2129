import { createHash } from "node:crypto";
import { withOrigins } from "../errors/statusErrors.js";
import type { Settings } from "../settings/resolveSettings.js";
import { TokenCache, type TokenEndpoint } from "./tokenCache.js";

/** The access tokens of an identity, as one service needs them. */
export class AccessTokens {
  constructor(
    private readonly cache: TokenCache,
    private readonly endpoint: TokenEndpoint,
    private readonly origins: Settings["origins"] = {},
  ) {}

  /** Returns a token that the service should accept. Rejects with the error of the sign-in. */
  get(): Promise<string> {
    return this.named(this.cache.accessToken(this.endpoint));
  }

  /** Returns a token to use after the service rejected `token`, or undefined if there is none. */
  replaceRejected(token: string): Promise<string | undefined> {
    return this.named(this.cache.replaceRejectedToken(token, this.endpoint));
  }

  /** Several services share a rejected sign-in. Each may have found the settings elsewhere. */
  private async named<T>(token: Promise<T>): Promise<T> {
    try {
      return await token;
    } catch (error) {
      throw withOrigins(error, this.origins);
    }
  }
}

const maxIdentities = 1_000;
const caches = new Map<string, TokenCache>();

/**
 * Returns the token cache of an identity. Settings with the same identity share it, whatever else they
 * differ in: it also remembers rejected sign-ins, which lock a user if they add up.
 */
export function tokenCacheOf(settings: Settings): TokenCache {
  const key = identityOf(settings);
  const cache = caches.get(key) ?? new TokenCache();
  caches.delete(key);
  caches.set(key, cache);
  for (const [oldest, { isForgettable }] of caches) {
    if (caches.size <= maxIdentities) break;
    if (isForgettable && oldest !== key) caches.delete(oldest);
  }
  return cache;
}

/** An identity is who signs in, where, and by what way. */
function identityOf(settings: Settings): string {
  const { tokenUrl, clientId, clientSecret, username, password, scope } = settings;
  const { headers, caCertificates, tokenProxy } = settings;
  const who = [tokenUrl, clientId, clientSecret, username, password, scope];
  const way = [Object.entries(headers).sort(), caCertificates, tokenProxy];
  return createHash("sha256")
    .update(JSON.stringify([who, way]))
    .digest("hex");
}
