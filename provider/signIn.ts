import type * as OpenidClient from "openid-client" with { "resolution-mode": "import" };
import { parseJson } from "./parseJson.js";
import { isTransientStatus, type Retry, retryAfterMs, Transient } from "./retry.js";
import type { Settings } from "./resolveSettings.js";
import type { TimeLimit } from "./timeLimits.js";
import type { Grant, Grants } from "./tokenCache.js";
import type { IncomingAnswer, Transport } from "./transport.js";
import { isConnectionRefusal } from "./transportFaults.js";
import {
  errorOfLoginPage,
  errorOfLoginStatus,
  errorOfOAuth,
  isOAuthError,
  isOAuthErrorCode,
  translateError,
  type Undertaking,
} from "./translateError.js";
import { validateTokenReply } from "./validate.js";

const maxReplyBytes = 64 * 1024;
const lifetimeWhenNotSaidSeconds = 60;

/**
 * The sign-in requests of the Project Service's identity provider, by openid-client.
 *
 * Source: `POST {authUrl}/auth/realms/{realm}/protocol/openid-connect/token`.
 */
export function createGrants(settings: Settings, transport: Transport, retry: Retry): Grants {
  const undertaking: Undertaking = {
    doing: "Signing in to the Project Service",
    url: settings.tokenUrl,
    addressKey: "authUrl",
  };

  async function request(
    how: { readonly limit: TimeLimit; readonly isInBackground: boolean },
    ask: (client: Client) => Promise<OpenidClient.TokenEndpointResponse>,
  ): Promise<Grant> {
    try {
      const client = await createClient(settings, (body, headers) => sendForm(body, headers, how));
      return toGrant(await ask(client));
    } catch (error) {
      if (isOAuthError(error)) throw errorOfOAuth(error, undertaking);
      // openid-client wraps what sendForm throws.
      if (error instanceof Error && error.cause instanceof Transient) throw error.cause;
      throw translateError(error, undertaking);
    }
  }

  async function sendForm(
    body: string,
    headers: Record<string, string>,
    how: { readonly limit: TimeLimit; readonly isInBackground: boolean },
  ): Promise<Response> {
    try {
      const answer = await transport.send({
        method: "POST",
        url: settings.tokenUrl,
        proxy: settings.tokenProxy,
        headers,
        body,
        maxBytes: maxReplyBytes,
        isOnNewConnection: true,
        ...how,
      });
      return toResponse(answer, undertaking);
    } catch (error) {
      if (error instanceof Transient) throw error;
      const translated = translateError(error, undertaking);
      throw isConnectionRefusal(error) ? new Transient(translated) : translated;
    }
  }

  /**
   * Sent again only where the identity provider cannot have looked at the password: a few rejected
   * ones in a row lock a user out.
   */
  async function signIn(limit: TimeLimit): Promise<Grant> {
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
    renew: (refreshToken, isInBackground) =>
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
  // Whether plain http is allowed was decided when the settings were resolved.
  openid.allowInsecureRequests(configuration);
  // The transport has the deadline; openid-client's own would cut a longer one short.
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
 * The answer as openid-client may see it: checked, and without what it could carry into an error.
 * A `WWW-Authenticate` header would make it drop the OAuth error of the body.
 */
function toResponse(answer: IncomingAnswer, undertaking: Undertaking): Response {
  const { status, body } = answer;
  const retryAfter = answer.headers["retry-after"];
  const headers = { "content-type": "application/json" };
  if (status === 200) {
    return new Response(JSON.stringify(tokenFields(body, undertaking)), { status, headers });
  }
  const oauthError = oauthErrorFields(body);
  if (oauthError === undefined || !isRejection(status)) {
    const error = errorOfLoginStatus(status, undertaking);
    const wasTurnedAway = status === 429 || status === 503;
    throw wasTurnedAway ? new Transient(error, retryAfterMs(retryAfter)) : error;
  }
  return new Response(JSON.stringify(oauthError), { status, headers });
}

/** With any other status openid-client does not look for an OAuth error. */
function isRejection(status: number): boolean {
  return status >= 400 && status < 500 && !isTransientStatus(status);
}

function tokenFields(body: Buffer, undertaking: Undertaking): object {
  let reply: unknown;
  try {
    reply = parseJson(body);
  } catch {
    throw errorOfLoginPage(200, undertaking);
  }
  // An id_token is left out with the rest: nobody asked for it, and checking it could only fail.
  const { access_token, expires_in, refresh_token, refresh_expires_in } = validateTokenReply(reply);
  return {
    access_token,
    token_type: "bearer",
    ...(expires_in == null ? {} : { expires_in }),
    ...(refresh_token ? { refresh_token } : {}),
    ...(refresh_expires_in == null ? {} : { refresh_expires_in }),
  };
}

function oauthErrorFields(body: Buffer): object | undefined {
  let reply: unknown;
  try {
    reply = parseJson(body);
  } catch {
    return undefined;
  }
  const { error, error_description } = (reply ?? {}) as Record<string, unknown>;
  if (typeof error !== "string" || !isOAuthErrorCode(error)) return undefined;
  return typeof error_description === "string" ? { error, error_description } : { error };
}

function toGrant(reply: OpenidClient.TokenEndpointResponse): Grant {
  const refreshSeconds = Number(reply["refresh_expires_in"] ?? 0);
  return {
    accessToken: reply.access_token,
    lifetimeMs: (reply.expires_in ?? lifetimeWhenNotSaidSeconds) * 1000,
    refreshToken: reply.refresh_token,
    refreshLifetimeMs: refreshSeconds === 0 ? undefined : refreshSeconds * 1000,
  };
}
