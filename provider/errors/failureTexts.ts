/* What is wrong and what to do, for each way in which a request can fail. */
import type { ProjectServiceErrorCode } from "./projectServiceError.js";

const proxyVariables = "Check HTTPS_PROXY, HTTP_PROXY or ALL_PROXY";
const unavailable = "the service responded with status {detail}{wait}. Try again later.";
const checkTokenEndpoint =
  "The token endpoint must be at this URL. For Keycloak 17 and newer, set authUrl to the address of the realm, which ends with /realms/ and its name. Otherwise, check realm and authUrl, which must not end with /auth.";

const whereFound = "To see where each setting was found, run pulumi-project-service check.";

/**
 * The sentences of error messages, by error code and kind of failure.
 *
 * `{detail}` is Node's code, a status, an OAuth error, a number of seconds or a sentence, and `{setting}` the setting
 * with the server's address.
 */
const texts = {
  UNREACHABLE: {
    network: "no response from {host} ({detail}). Check {setting} and the network.",
    cutOff:
      "the response from {host} was cut off ({detail}). Check the network and any proxy in between.",
    proxy: `no connection through the proxy {proxy} ({detail}). ${proxyVariables}, and the network. To bypass the proxy, add {host} to NO_PROXY.`,
    proxyStatus: `the proxy {proxy} refused to connect to {host} ({detail}). ${proxyVariables}. After 407, they must contain a user name and a password. To bypass the proxy, add {host} to NO_PROXY.`,
  },
  TLS_FAILED: {
    tls: "no secure connection to {host} ({detail}). Check {setting} and the server's certificate. If a private certificate authority issued it, set caCertificate to the certificate of that authority.",
    tlsHost:
      "the certificate of {host} is for another host name ({detail}). Check the host name in {setting}.",
    tlsClient:
      "{host} requires a client certificate ({detail}), which this package cannot send. Set {setting} to an address that requires none.",
    tlsProtocol:
      "no secure connection to {host} ({detail}). Check {setting}. Its port may expect http, or the server may refuse this TLS version or require a client certificate.",
    proxyTls: `no secure connection to the proxy {proxy} ({detail}). ${proxyVariables}. The address of most proxies starts with http://, not https://. If a private certificate authority issued the proxy's certificate, set caCertificate to the certificate of that authority.`,
  },
  TIMEOUT: {
    timeout:
      "no complete response within {detail} s. Check {setting} and the network, or raise timeoutSeconds.",
    proxyTimeout: `the proxy {proxy} did not connect to {host} within {detail} s. ${proxyVariables}, and the network. To bypass the proxy, add {host} to NO_PROXY.`,
    requestTimeout: unavailable,
  },
  // From the token endpoint, these are LOGIN_RESPONSE_INVALID.
  RESPONSE_INVALID: {
    // Not NOT_FOUND: a program may take that for the deletion of a project.
    noList:
      "the service responded with status 404 (not found). There is no project list at this address. Check baseUrl, which must not end with /api/project/v5.",
    contract: "the response is invalid: {detail}",
    tooLarge:
      "the response is larger than {detail}, the limit. Check that {setting} is the address of {server}.",
    malformed:
      "the response is not valid HTTP ({detail}). Check {setting} and any proxy in between.",
    redirect:
      "the response is a redirect ({detail}), which is not followed. Set {setting} to the address that the redirect leads to.",
    headersTooLarge:
      "a gateway refused the request because its headers are too large ({detail}). The token is usually the largest. Raise the gateway's limit, or configure the client to put fewer roles in its tokens.",
    bug: "processing the response caused the error {detail}. This is a bug in pulumi-project-service. Please report it.",
    badRequest:
      "the service responded with status {detail}, which its interface does not define. Check baseUrl. A gateway in between may not accept headers as large as the token.",
    // Not NOT_FOUND, nor of one project: a program would take it for a deletion, or skip the project.
    page: "a gateway sent a page (status {detail}), which says nothing about {projects}. Check baseUrl and any proxy in between.",
    unknownStatus:
      "the service responded with status {detail}, which its interface does not define. Check baseUrl.",
  },
  LIST_INCOMPLETE: {
    incomplete:
      "the list is incomplete: {detail}. Check baseUrl and any proxy in between. If projects are being created right now, try again. If this user may not see all projects, ask for a user who may.",
  },
  TOKEN_REFUSED: {
    tokenRefused:
      "the service rejected a new token (401). Check that the service at baseUrl accepts tokens that authUrl issues for realm and clientId.",
  },
  FORBIDDEN: {
    forbidden:
      "the service denied access (403). Ask for access to {projects} for the user in the setting username.",
  },
  NOT_FOUND: {
    notFound:
      "the service responded with status 404 (not found). Check projectId: it must be the project's id, not its name. If the project was deleted in the service, restore it there or remove it from the program.",
  },
  RATE_LIMITED: {
    rateLimited:
      "the service responded with status {status} (too many requests){wait}. Lower maxConcurrency or try again later.",
  },
  SERVICE_UNAVAILABLE: {
    unavailable,
    notServed:
      "the service responded with status {detail}. Check baseUrl and any proxy in between.",
  },
  LOGIN_UNAVAILABLE: {
    loginUnavailable:
      "the identity provider responded with status {detail}{wait}. Try again later.",
  },
  LOGIN_RESPONSE_INVALID: {
    loginNoOauth: `the identity provider responded with status {detail} and no OAuth error. ${checkTokenEndpoint}`,
    loginNoJson: `the response is not JSON. ${checkTokenEndpoint}`,
  },
  LOGIN_REJECTED: {
    signInForbidden: `the sign-in was rejected (403, {detail}). The cause can be a rule of the identity provider, a session limit or a gateway. Check realm, clientId and username, and end old sessions of this user. ${whereFound}`,
    loginRejected: `the sign-in was rejected ({status}, {detail}). Check realm, clientId, username and password. ${whereFound}`,
    userRejected: `the user name or the password was rejected ({status}, {detail}). Check username and password. A user who is locked, disabled or not fully set up gets the same response. Keycloak also rejects a sign-in while the same user is signing in elsewhere. ${whereFound}`,
    clientRejected: `the client was rejected, or may not use the password grant ({status}, {detail}). Check clientId and clientSecret, and that direct access grants are enabled for the client. ${whereFound}`,
    scopeRejected: `the scope was rejected ({status}, {detail}). Check scope. ${whereFound}`,
    noRealm: `the realm does not exist ({status}). Check realm. ${whereFound}`,
  },
} as const satisfies Partial<Record<ProjectServiceErrorCode, Record<string, string>>>;

type Texts = typeof texts;
export type FailureKind = { [Code in keyof Texts]: keyof Texts[Code] }[keyof Texts];

export const failureTexts = Object.fromEntries(
  Object.entries(texts).flatMap(([code, kinds]) =>
    Object.entries(kinds).map(([kind, text]) => [kind, { code, text }]),
  ),
) as Record<FailureKind, { readonly code: keyof Texts; readonly text: string }>;
