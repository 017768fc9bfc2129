/* Prepares a token response for openid-client, and checks what openid-client does not check. */
import { InvalidResponseError } from "../errors/requestFailure.js";
import { parseJson } from "./validate.js";

export type TokenJson = Readonly<Record<string, unknown>>;

/** An access token with its lifetime, and the refresh token that came with it. */
export interface TokenSet {
  readonly accessToken: string;
  readonly lifetimeMs: number;
  readonly refreshToken: string | undefined;
  /** Infinity if the refresh token does not expire. */
  readonly refreshLifetimeMs: number;
}

/** With this lifetime, in seconds, a token without one is used. */
const defaultLifetimeSeconds = 60;

/**
 * Returns the JSON of a response for openid-client, or undefined if it is not JSON. openid-client would refuse
 * members that are null or empty, and two that we do not use: an id_token of another issuer, a list of scopes.
 */
export function tokenJson(body: Buffer): TokenJson | undefined {
  try {
    const json = (parseJson(body) ?? {}) as Record<string, unknown>;
    const members = Object.entries(json)
      .filter(([name, value]) => !/^(id_token|scope)$/.test(name) && value !== null && value !== "")
      // No member that counts is an object, and JSON.stringify fails if one is too deep.
      .map(([name, value]) => [name, typeof value === "object" ? true : value]);
    return { token_type: "bearer", ...(Object.fromEntries(members) as TokenJson) };
  } catch {
    return undefined;
  }
}

/**
 * Checks what openid-client accepts, which reads the lifetime "300 s" as 300. A lifetime of 0 would mean a sign-in
 * for each read.
 *
 * @param tokens the result of openid-client.
 * @param json what it got.
 * @throws InvalidResponseError
 */
export function tokenSetOf(
  tokens: { readonly access_token: string; readonly refresh_token?: string },
  { expires_in = defaultLifetimeSeconds, refresh_expires_in = 0 }: TokenJson,
): TokenSet {
  const { access_token: accessToken, refresh_token: refreshToken } = tokens;
  const [lifetimeMs, refreshMs] = [Number(expires_in) * 1_000, Number(refresh_expires_in) * 1_000];
  // It becomes part of a header.
  if (!/^[!-~]+$/.test(accessToken)) {
    throw new InvalidResponseError("access_token contains characters that are not allowed");
  }
  if (!(lifetimeMs > 0)) throw new InvalidResponseError("expires_in is no number above 0");
  if (!(refreshMs >= 0))
    throw new InvalidResponseError("refresh_expires_in is no number from 0 on");
  // With 0, the refresh token does not expire.
  return { accessToken, lifetimeMs, refreshToken, refreshLifetimeMs: refreshMs || Infinity };
}
