import type * as OpenidClient from "openid-client" with { "resolution-mode": "import" };
import { errorOfOAuth, isOAuthError, isOAuthErrorCode } from "../errors/errorOfOAuth.js";
import { errorOfLoginPage, errorOfLoginStatus } from "../errors/errorOfStatus.js";
import { RetryableError } from "../errors/internalErrors.js";
import type { RequestContext } from "../errors/requestContext.js";
import { translateError } from "../errors/translateError.js";
import type { HttpResponse } from "../http/exchange.js";
import {
  isRetryableSignInError,
  isRetryableSignInStatus,
  isRetryableStatus,
  type Retry,
  retryAfterMs,
} from "../http/retry.js";
import { maxTokenResponseBytes } from "../http/sizeLimits.js";
import type { TimeLimit } from "../http/timeLimits.js";
import type { Transport } from "../http/transport.js";
import type { Settings } from "../settings/resolveSettings.js";
import { parseJson } from "../wire/parseJson.js";
import { validateTokenResponse } from "../wire/validate.js";
import type { TokenEndpoint, TokenSet } from "./tokenCache.js";

const defaultLifetimeSeconds = 60;

interface SendOptions {
  readonly limit: TimeLimit;
  readonly isInBackground: boolean;
}

/**
 * Creates the token endpoint of the identity provider, with openid-client.
 *
 * Source: `POST {authUrl}/auth/realms/{realm}/protocol/openid-connect/token`.
 */
export function createTokenEndpoint(
  settings: Settings,
  transport: Transport,
  retry: Retry,
): TokenEndpoint {
  const context: RequestContext = {
    operation: "Signing in to the Project Service",
    url: settings.tokenUrl,
    urlSetting: "authUrl",
  };

  async function request(
    options: SendOptions,
    send: (client: Client) => Promise<OpenidClient.TokenEndpointResponse>,
  ): Promise<TokenSet> {
    try {
      const client = await createClient(settings, (body, headers) =>
        sendForm(body, headers, options),
      );
      return toTokenSet(await send(client));
    } catch (error) {
      if (isOAuthError(error)) throw errorOfOAuth(error, context, settings.origins);
      // openid-client wraps what sendForm throws.
      if (error instanceof Error && error.cause instanceof RetryableError) throw error.cause;
      throw translateError(error, context);
    }
  }

  async function sendForm(
    body: string,
    headers: Record<string, string>,
    options: SendOptions,
  ): Promise<Response> {
    try {
      const response = await transport.send({
        method: "POST",
        url: settings.tokenUrl,
        proxy: settings.tokenProxy,
        headers,
        body,
        maxBytes: maxTokenResponseBytes,
        isOnNewConnection: true,
        ...options,
      });
      return toCheckedResponse(response, context);
    } catch (error) {
      if (error instanceof RetryableError) throw error;
      const translated = translateError(error, context);
      throw isRetryableSignInError(error) ? new RetryableError(translated) : translated;
    }
  }

  function signIn(limit: TimeLimit): Promise<TokenSet> {
    return request({ limit, isInBackground: false }, ({ openid, configuration }) =>
      openid.genericGrantRequest(configuration, "password", {
        username: settings.username,
        password: settings.password,
        ...(settings.scope === undefined ? {} : { scope: settings.scope }),
      }),
    );
  }

  return {
    signIn: () => retry.run(signIn),
    refresh: (refreshToken, isInBackground) =>
      retry.once((limit) =>
        request({ limit, isInBackground }, ({ openid, configuration }) =>
          openid.refreshTokenGrant(configuration, refreshToken),
        ),
      ),
  };
}

interface Client {
  readonly openid: typeof OpenidClient;
  readonly configuration: OpenidClient.Configuration;
}

async function createClient(
  settings: Settings,
  sendForm: (body: string, headers: Record<string, string>) => Promise<Response>,
): Promise<Client> {
  const openid = await import("openid-client");
  const configuration = new openid.Configuration(
    { issuer: settings.issuer, token_endpoint: settings.tokenUrl },
    settings.clientId,
    undefined,
    settings.clientSecret === undefined
      ? openid.None()
      : openid.ClientSecretPost(settings.clientSecret),
  );
  // resolveSettings has decided whether plain http is allowed.
  openid.allowInsecureRequests(configuration);
  // The transport has the deadline. openid-client's own timeout would cut off a longer one.
  configuration.timeout = 0;
  configuration[openid.customFetch] = (_url, { body, headers }) =>
    sendForm((body as URLSearchParams).toString(), lowerCased(headers));
  return { openid, configuration };
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const { "user-agent": _, ...others } = Object.fromEntries(entries) as Record<string, string>;
  return others;
}

/**
 * Returns what openid-client may see of a response: checked fields, and no headers.
 *
 * openid-client puts a malformed response into its error. A `WWW-Authenticate` header would make it
 * ignore the OAuth error in the body.
 */
function toCheckedResponse(response: HttpResponse, context: RequestContext): Response {
  const { status, body } = response;
  const headers = { "content-type": "application/json" };
  if (status === 200) {
    return new Response(JSON.stringify(tokenFields(body, context)), { status, headers });
  }
  const oauthError = oauthErrorFields(body);
  if (oauthError === undefined || !isRejection(status)) {
    const error = errorOfLoginStatus(status, context);
    if (!isRetryableSignInStatus(status)) throw error;
    throw new RetryableError(error, retryAfterMs(response.headers["retry-after"]));
  }
  return new Response(JSON.stringify(oauthError), { status, headers });
}

/** For other statuses, openid-client does not look for an OAuth error. */
function isRejection(status: number): boolean {
  return status >= 400 && status < 500 && !isRetryableStatus(status);
}

function tokenFields(body: Buffer, context: RequestContext): object {
  let response: unknown;
  try {
    response = parseJson(body);
  } catch {
    throw errorOfLoginPage(200, context);
  }
  // An id_token is dropped: nobody asked for it, and openid-client would validate it.
  const { access_token, expires_in, refresh_token, refresh_expires_in } =
    validateTokenResponse(response);
  return {
    access_token,
    token_type: "bearer",
    ...(expires_in == null ? {} : { expires_in }),
    ...(refresh_token ? { refresh_token } : {}),
    ...(refresh_expires_in == null ? {} : { refresh_expires_in }),
  };
}

function oauthErrorFields(body: Buffer): object | undefined {
  let response: unknown;
  try {
    response = parseJson(body);
  } catch {
    return undefined;
  }
  const { error, error_description } = (response ?? {}) as Record<string, unknown>;
  if (typeof error !== "string" || !isOAuthErrorCode(error)) return undefined;
  return typeof error_description === "string" ? { error, error_description } : { error };
}

function toTokenSet(response: OpenidClient.TokenEndpointResponse): TokenSet {
  const refreshSeconds = Number(response["refresh_expires_in"] ?? 0);
  return {
    accessToken: response.access_token,
    lifetimeMs: (response.expires_in ?? defaultLifetimeSeconds) * 1000,
    refreshToken: response.refresh_token,
    refreshLifetimeMs: refreshSeconds === 0 ? undefined : refreshSeconds * 1000,
  };
}
