import type * as OpenidClient from "openid-client" with { "resolution-mode": "import" };
import {
  InvalidResponseError,
  type RequestContext,
  requestFailure,
  signInFailure,
} from "../errors/requestFailure.js";
import type { Settings } from "../settings/resolveSettings.js";
import { parseJson } from "../wire/validate.js";
import { retryAfterMs } from "./httpResponse.js";
import { createSend, type HttpRequest, type Send } from "./http.js";

export interface TokenSet {
  readonly accessToken: string;
  readonly lifetimeMs: number;
  readonly refreshToken: string | undefined;
  /** Infinity if the refresh token does not expire, or if its lifetime is no number. */
  readonly refreshLifetimeMs: number;
}

/** Gets tokens with the password, or with a refresh token. Rejects with a RequestFailure or an InvalidResponseError. */
export type SignIn = (limitMs: number, refreshToken?: string) => Promise<TokenSet>;

type TokenJson = Readonly<Record<string, unknown>>;

type TokenResponse = Awaited<ReturnType<typeof requestTokens>>;

/** With this lifetime, in seconds, a token without one is used. */
const defaultLifetimeSeconds = 60;

export function signInContext({ tokenUrl }: Settings): RequestContext {
  return {
    operation: "Signing in to the Project Service",
    url: tokenUrl,
    urlSetting: "authUrl",
  };
}

/** Returns the function that signs in. openid-client builds the requests, and reads and checks the responses. */
export function createSignIn(settings: Settings): SignIn {
  const { tokenUrl: url, tokenProxy: proxy, username, password, scope } = settings;
  const context = signInContext(settings);
  // A request on an idle connection can fail after it was received. A password must not be sent again after that.
  const send = createSend(settings, { url, proxy, keepAlive: false });

  return async (limitMs, refreshToken) => {
    const openid = await import("openid-client");
    const client = configure(openid, settings);
    let sent: Promise<TokenResponse> | undefined;
    client[openid.customFetch] = async (_url, { body, headers }) => {
      const { "user-agent": _, ...others } = headers;
      const form = (body as URLSearchParams).toString();
      sent = requestTokens(send, { context, headers: others, form, limitMs });
      const { status, json } = await sent;
      // A program can have replaced Response by one without Response.json, as node-fetch 2 has it.
      const contentType = { "content-type": "application/json" };
      return new Response(JSON.stringify(json), { status, headers: contentType });
    };
    const credentials = { username, password, ...(scope === undefined ? {} : { scope }) };
    const request =
      refreshToken === undefined
        ? openid.genericGrantRequest(client, "password", credentials)
        : openid.refreshTokenGrant(client, refreshToken);
    const tokens = await request.catch(async () => {
      // Its errors contain the response, so none of them gets further.
      const response = await sent; // rejects with our failure, if that was the cause
      if (response === undefined) throw requestFailure("bug", context, "OpenidClientError");
      throw failureOfTokens(response);
    });
    return tokenSetOf(tokens, (await (sent as Promise<TokenResponse>)).json);
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

async function requestTokens(send: Send, request: HttpRequest) {
  const { status, headers, body } = await send(request);
  /** Makes the failure if there is no token. */
  const failure = (oauthError?: string) =>
    signInFailure(status, oauthError, request.context, {
      retryAfterMs: retryAfterMs(headers),
      isInvalidGrant: oauthError === "invalid_grant",
    });
  const json = tokenJson(body);
  const isReadable = status === 200 || (status >= 400 && status < 500);
  if (json === undefined || !isReadable) throw failure();
  return { status, json, failure };
}

/**
 * Returns the JSON of a response for openid-client, or undefined if it is not JSON. openid-client 6 would refuse
 * members that are null or empty, and two that we do not use: an id_token of another issuer, a list of scopes.
 */
function tokenJson(body: Buffer): TokenJson | undefined {
  try {
    const json = (parseJson(body) ?? {}) as Record<string, unknown>;
    const members = Object.entries(json).filter(
      ([name, value]) => !/^(id_token|scope)$/.test(name) && value !== null && value !== "",
    );
    return { token_type: "bearer", ...Object.fromEntries(members) };
  } catch {
    return undefined;
  }
}

/** Checks what openid-client accepts: it reads "300 s" as 300. A lifetime of 0 would mean a sign-in for each read. */
function tokenSetOf(
  tokens: { readonly access_token: string; readonly refresh_token?: string },
  { expires_in = defaultLifetimeSeconds, refresh_expires_in = 0 }: TokenJson,
): TokenSet {
  const { access_token: accessToken, refresh_token: refreshToken } = tokens;
  const lifetimeMs = Number(expires_in) * 1_000;
  // It becomes part of a header.
  if (!/^[!-~]+$/.test(accessToken)) {
    throw new InvalidResponseError("access_token contains characters that are not allowed");
  }
  if (!(lifetimeMs > 0)) throw new InvalidResponseError("expires_in is not a number above 0");
  // With 0, the refresh token does not expire. If the server rejects it anyway, the password is sent.
  const refreshLifetimeMs = Number(refresh_expires_in) * 1_000 || Infinity;
  return { accessToken, lifetimeMs, refreshToken, refreshLifetimeMs };
}

function failureOfTokens({ status, json, failure }: TokenResponse): Error {
  const { error, access_token: token } = json;
  const oauthError = typeof error === "string" ? error : undefined;
  if (status !== 200) return failure(oauthError);
  if (error !== undefined && token === undefined) return failure(oauthError ?? "");
  return new InvalidResponseError("access_token is missing, or a field has the wrong type");
}
