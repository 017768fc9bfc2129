import { createPublicKey, type JsonWebKey, type KeyObject, verify } from "node:crypto";
import type { Keycloak } from "../../tools/external/keycloak.js";

/**
 * Creates a function that checks access tokens like a service behind Keycloak: the issuer, the
 * signature by one of the realm's published keys, and the expiry.
 */
export function createTokenCheck(keycloak: Keycloak): (accessToken: string) => Promise<boolean> {
  const issuer = `${keycloak.url}/auth/realms/${keycloak.realm}`;
  let keys: Promise<ReadonlyMap<string, KeyObject>> | undefined;
  return async (accessToken) => {
    const [header = "", payload = "", signature = ""] = accessToken.split(".");
    const { alg, kid } = decode<{ alg: string; kid: string }>(header) ?? {};
    const { iss, exp = 0 } = decode<{ iss: string; exp: number }>(payload) ?? {};
    if (alg !== "RS256" || kid === undefined || iss !== issuer || isExpired(exp)) return false;
    const key = (await (keys ??= fetchKeys(issuer))).get(kid);
    if (key === undefined) return false;
    const signed = Buffer.from(`${header}.${payload}`);
    return verify("RSA-SHA256", signed, key, Buffer.from(signature, "base64url"));
  };
}

/**
 * Follows Keycloak's rule: a token is valid until the end of the second in `exp`. Keycloak counts
 * from the start of the second of issue. By the stricter rule of RFC 7519 a token with a lifetime
 * of 4 s could expire after 3 s.
 */
function isExpired(exp: number): boolean {
  return Math.floor(Date.now() / 1000) > exp;
}

async function fetchKeys(issuer: string): Promise<ReadonlyMap<string, KeyObject>> {
  const response = await fetch(`${issuer}/protocol/openid-connect/certs`);
  const { keys } = (await response.json()) as { keys: (JsonWebKey & { kid: string })[] };
  return new Map(keys.map((key) => [key.kid, createPublicKey({ key, format: "jwk" })]));
}

function decode<T>(part: string): T | undefined {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8")) as T;
  } catch {
    return undefined;
  }
}
