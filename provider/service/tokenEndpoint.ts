import type * as OpenidClient from "openid-client" with { "resolution-mode": "import" };
import { failureOfLogin, type RequestContext } from "../errors/requestFailure.js";
import type { Settings } from "../settings/resolveSettings.js";
import { parseJson, validateTokenResponse } from "../wire/validate.js";
import { createSend, type HttpRequest, type HttpResponse, type Send } from "./http.js";
import { isRetryableStatus, retryAfterMs } from "./retry.js";

/** An access token with its lifetime, and the refresh token that came with it. */
export interface TokenSet {
  readonly accessToken: string;
  readonly lifetimeMs: number;
  readonly refreshToken?: string | undefined;
  /** Undefined if the refresh token does not expire. */
  readonly refreshLifetimeMs?: number | undefined;
}

/** Gets tokens with the password, or with a refresh token. Rejects with a RequestFailure or an InvalidResponseError. */
export type SignIn = (limitMs: () => number, refreshToken?: string) => Promise<TokenSet>;

/** With this lifetime, in seconds, a token without one is used. */
const defaultLifetimeSeconds = 60;
const maxBytes = 64 * 1024;

export function signInContext({ tokenUrl }: Settings): RequestContext {
  return {
    operation: "Signing in to the Project Service",
    url: tokenUrl,
    urlSetting: "authUrl",
  };
}

/**
 * Returns the function that signs in. openid-client makes the requests.
 *
 * Source: `POST {authUrl}/auth/realms/{realm}/protocol/openid-connect/token`.
 */
export function createSignIn(settings: Settings): SignIn {
  const { tokenUrl: url, tokenProxy: proxy, username, password, scope } = settings;
  const context = signInContext(settings);
  // A request on an idle connection fails if the server closes it at that moment. A password must not be
  // sent again after that.
  const send = createSend(settings, { url, proxy, keepAlive: false, maxBytes });

  return async (limitMs, refreshToken) => {
    const openid = await import("openid-client");
    const client = configure(openid, settings);
    let tokens: Promise<TokenSet> | undefined;
    // openid-client puts a malformed response into its error, so it sees no response of the server.
    client[openid.customFetch] = async (_url, { body, headers }) => {
      const { "user-agent": _, ...others } = headers;
      const form = (body as URLSearchParams).toString();
      tokens = requestTokens(send, { context, headers: others, form, limitMs });
      return Response.json({ access_token: (await tokens).accessToken, token_type: "bearer" });
    };
    const credentials = { username, password, ...(scope === undefined ? {} : { scope }) };
    const request =
      refreshToken === undefined
        ? openid.genericGrantRequest(client, "password", credentials)
        : openid.refreshTokenGrant(client, refreshToken);
    await request.catch((error: unknown) => {
      if (tokens === undefined) throw error;
    });
    return tokens as Promise<TokenSet>; // the request has set it
  };
}

function configure(openid: typeof OpenidClient, settings: Settings): OpenidClient.Configuration {
  const { issuer, tokenUrl, clientId, clientSecret } = settings;
  const client = new openid.Configuration(
    { issuer, token_endpoint: tokenUrl },
    clientId,
    undefined,
    clientSecret === undefined ? openid.None() : openid.ClientSecretPost(clientSecret),
  );
  // The settings decide whether plain http is allowed.
  openid.allowInsecureRequests(client);
  // Its own timeout would cut off a longer one.
  client.timeout = 0;
  return client;
}

async function requestTokens(send: Send, request: HttpRequest): Promise<TokenSet> {
  const response = await send(request);
  const { status } = response;
  const json = jsonIn(response);
  const failure = failureOfLogin(status, json, request.context, {
    isRetryable: isRetryableStatus(status),
    retryAfterMs: retryAfterMs(response.headers["retry-after"]),
  });
  if (failure !== undefined) throw failure;
  const tokens = validateTokenResponse(json);
  const { expires_in, refresh_token, refresh_expires_in } = tokens;
  return {
    accessToken: tokens.access_token,
    lifetimeMs: (expires_in ?? defaultLifetimeSeconds) * 1_000,
    refreshToken: refresh_token || undefined,
    // With 0, it does not expire.
    refreshLifetimeMs: refresh_expires_in ? refresh_expires_in * 1_000 : undefined,
  };
}

function jsonIn({ body }: HttpResponse): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}
