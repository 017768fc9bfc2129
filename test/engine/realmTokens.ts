import { createPublicKey, type JsonWebKey, type KeyObject, verify } from "node:crypto";
import type { Keycloak } from "../../tools/keycloak.js";

/**
 * Checks access tokens as a service behind Keycloak does: issuer, signature by one of the realm's
 * published keys, expiry.
 */
export function tokenCheckOf(keycloak: Keycloak): (accessToken: string) => Promise<boolean> {
  const issuer = `${keycloak.url}/auth/realms/${keycloak.realm}`;
  let keys: Promise<ReadonlyMap<string, KeyObject>> | undefined;
  return async (accessToken) => {
    const [header = "", payload = "", signature = ""] = accessToken.split(".");
    const { alg, kid } = decoded<{ alg: string; kid: string }>(header) ?? {};
    const { iss, exp = 0 } = decoded<{ iss: string; exp: number }>(payload) ?? {};
    if (alg !== "RS256" || kid === undefined || iss !== issuer || isOver(exp)) return false;
    const key = (await (keys ??= keysOf(issuer))).get(kid);
    if (key === undefined) return false;
    const signed = Buffer.from(`${header}.${payload}`);
    return verify("RSA-SHA256", signed, key, Buffer.from(signature, "base64url"));
  };
}

/**
 * By Keycloak's own rule: a token is good to the end of the second that `exp` names. It counts
 * from the start of the second of issue, so that by the stricter rule of RFC 7519 a token of 4 s
 * could be over after 3.
 */
function isOver(exp: number): boolean {
  return Math.floor(Date.now() / 1000) > exp;
}

async function keysOf(issuer: string): Promise<ReadonlyMap<string, KeyObject>> {
  const response = await fetch(`${issuer}/protocol/openid-connect/certs`);
  const { keys } = (await response.json()) as { keys: (JsonWebKey & { kid: string })[] };
  return new Map(keys.map((key) => [key.kid, createPublicKey({ key, format: "jwk" })]));
}

function decoded<T>(part: string): T | undefined {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8")) as T;
  } catch {
    return undefined;
  }
}
