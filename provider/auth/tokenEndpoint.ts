import type * as OpenidClient from "openid-client" with { "resolution-mode": "import" };
import { errorOfLoginStatus, errorOfRejection } from "../errors/statusErrors.js";
import { ExchangeError, RetryableError, SignInRejectedError } from "../errors/internalErrors.js";
import { type RequestContext, translateError } from "../errors/requestErrors.js";
import type { HttpResponse } from "../http/httpRequest.js";
import {
  isRetryableSignInError,
  isRetryableSignInStatus,
  type Retry,
  retryAfterMs,
} from "../http/retry.js";
import { maxTokenResponseBytes, type TimeLimit } from "../http/limits.js";
import type { Transport } from "../http/transport.js";
import type { Settings } from "../settings/resolveSettings.js";
import { parseJson, validateTokenResponse } from "../wire/validate.js";
import type { TokenEndpoint, TokenSet } from "./tokenCache.js";

const defaultLifetimeSeconds = 60;

/**
 * Creates the token endpoint of the identity provider. openid-client makes the requests.
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
    limit: TimeLimit,
    isInBackground: boolean,
    grant: (openid: typeof OpenidClient, client: OpenidClient.Configuration) => Promise<unknown>,
  ): Promise<TokenSet> {
    const openid = await import("openid-client");
    const client = configure(openid, settings);
    let tokens: TokenSet;
    let failure: unknown;

    client[openid.customFetch] = async (_url, { body, headers }) => {
      // The names are in lower case. The transport has a user agent of its own.
      const { "user-agent": _, ...others } = headers;
      try {
        const response = await transport.send({
          method: "POST",
          url: settings.tokenUrl,
          proxy: settings.tokenProxy,
          headers: others,
          body: (body as URLSearchParams).toString(),
          maxBytes: maxTokenResponseBytes,
          isOnNewConnection: true,
          limit,
          isInBackground,
        });
        tokens = tokensIn(response, context);
      } catch (error) {
        failure = error;
        throw error;
      }
      // openid-client puts a malformed response into its error, so it sees no response of the server.
      return Response.json({ access_token: tokens.accessToken, token_type: "bearer" });
    };

    try {
      await grant(openid, client);
    } catch (error) {
      throw errorOfSignIn(failure ?? error, context);
    }
    return tokens!; // the grant has called send
  }

  return {
    signIn: () =>
      retry.run((limit) =>
        request(limit, false, (openid, client) =>
          openid.genericGrantRequest(client, "password", {
            username: settings.username,
            password: settings.password,
            ...(settings.scope === undefined ? {} : { scope: settings.scope }),
          }),
        ),
      ),
    refresh: (refreshToken, isInBackground) =>
      retry.once((limit) =>
        request(limit, isInBackground, (openid, client) =>
          openid.refreshTokenGrant(client, refreshToken),
        ),
      ),
  };
}

function configure(openid: typeof OpenidClient, settings: Settings): OpenidClient.Configuration {
  const client = new openid.Configuration(
    { issuer: settings.issuer, token_endpoint: settings.tokenUrl },
    settings.clientId,
    undefined,
    settings.clientSecret === undefined
      ? openid.None()
      : openid.ClientSecretPost(settings.clientSecret),
  );
  // resolveSettings has decided whether plain http is allowed.
  openid.allowInsecureRequests(client);
  // The transport has the deadline. openid-client's own timeout would cut off a longer one.
  client.timeout = 0;
  return client;
}

/**
 * Returns the tokens in a response.
 *
 * @throws SignInRejectedError for a 4xx, except 408 and 429, and for a 200 with an OAuth error.
 *   RetryableError if the identity provider has not looked at the credentials.
 */
function tokensIn(response: HttpResponse, context: RequestContext): TokenSet {
  const { status, body } = response;
  const json = jsonIn(body);
  const isRejection = isRejectionStatus(status);
  if (status === 200 || isRejection) {
    const rejection = errorOfRejection(status, json, context);
    if (rejection !== undefined) throw new SignInRejectedError(rejection);
  }
  if (status === 200 && json !== undefined) return toTokenSet(json);
  const error = errorOfLoginStatus(status, context);
  if (isRejection) throw new SignInRejectedError(error);
  if (!isRetryableSignInStatus(status)) throw error;
  throw new RetryableError(error, retryAfterMs(response.headers["retry-after"]));
}

/** Whether the identity provider has looked at the credentials, and rejected them. */
function isRejectionStatus(status = 0): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function jsonIn(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

function toTokenSet(json: unknown): TokenSet {
  const { access_token, expires_in, refresh_token, refresh_expires_in } =
    validateTokenResponse(json);
  return {
    accessToken: access_token,
    lifetimeMs: (expires_in ?? defaultLifetimeSeconds) * 1_000,
    refreshToken: refresh_token || undefined,
    refreshLifetimeMs: (refresh_expires_in ?? 0) === 0 ? undefined : refresh_expires_in! * 1_000,
  };
}

function errorOfSignIn(error: unknown, context: RequestContext): Error {
  if (error instanceof RetryableError || error instanceof SignInRejectedError) return error;
  const translated = translateError(error, context);
  // The rest of the response is lost, but not what it says.
  if (error instanceof ExchangeError && isRejectionStatus(error.status)) {
    return new SignInRejectedError(translated);
  }
  return isRetryableSignInError(error) ? new RetryableError(translated) : translated;
}
