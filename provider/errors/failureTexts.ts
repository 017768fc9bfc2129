/* What is wrong and what to do, for each way in which a request can fail. */
import type { ProjectServiceErrorCode } from "./projectServiceError.js";

const proxyVariables = "Check HTTPS_PROXY, HTTP_PROXY or ALL_PROXY";
const unavailable = "the service responded with status {detail}{wait}. Try again later.";
const clientCertificate =
  "{host} asks for a client certificate ({detail}), which this package cannot send. Set {setting} to an address that asks for none.";
const checkTokenEndpoint =
  "Check authUrl, without /auth at its end, and realm. The token endpoint must be at {authUrl}/auth/realms/{realm}/protocol/openid-connect/token. Servers without /auth in their paths are not supported.";

/**
 * The sentences of error messages, by error code and kind of failure.
 *
 * `{detail}` is Node's code, a status, an OAuth error, a number of seconds or a sentence, `{setting}` the setting with
 * the server's address, and `{@password}` the place where the password was found.
 */
const texts = {
  UNREACHABLE: {
    network: "no response from {host} ({detail}). Check {setting} and the network.",
    networkHttp:
      "no response from {host} ({detail}). Check {setting}, whose port may be one for https, and the network.",
    cutOff:
      "the response of {host} was cut off ({detail}). Check the network and any proxy on the way.",
    proxy: `no connection through the proxy {proxy} ({detail}). ${proxyVariables} and the network. To bypass the proxy, add {host} to NO_PROXY.`,
    proxyStatus: `the proxy {proxy} refused to connect to {host} ({detail}). ${proxyVariables}, and whether the proxy requires a user name and a password. To bypass it, add {host} to NO_PROXY.`,
  },
  TLS_FAILED: {
    tls: "no secure connection to {host} ({detail}). Check {setting} and the server's certificate. If a private certificate authority issued it, the file in caCertificate must contain that authority.",
    tlsHost:
      "the certificate of {host} is for another host name ({detail}). Check the host name in {setting}.",
    tlsClient: clientCertificate,
    tlsProtocol:
      "no secure connection to {host} ({detail}). Check {setting}: its address or port may be one for http, or the server refuses this version of TLS or asks for a client certificate.",
    proxyTls: `no secure connection to the proxy {proxy} ({detail}). ${proxyVariables}. The address in that variable may have to start with http:// instead of https://. If a private certificate authority issued the proxy's certificate, the file in caCertificate must contain that authority.`,
  },
  TIMEOUT: {
    timeout:
      "no complete response within {detail} s. Check {setting} and the network, or raise timeoutSeconds.",
    proxyTimeout: `the proxy {proxy} opened no connection to {host} within {detail} s. ${proxyVariables} and the network. To bypass the proxy, add {host} to NO_PROXY.`,
    requestTimeout: unavailable,
  },
  // From the token endpoint, these are LOGIN_RESPONSE_INVALID.
  RESPONSE_INVALID: {
    // Not NOT_FOUND: a program may take that for the deletion of a project.
    noList:
      "the service responded with status 404, not found. There is no project list at this address. Check baseUrl, without /api/project/v5 at its end.",
    contract: "the response is invalid: {detail}",
    tooLarge:
      "the response is larger than {detail}, the most that is read. Check whether {setting} is the address of the service.",
    malformed:
      "the response is not valid HTTP ({detail}). Check {setting} and any proxy on the way.",
    redirect:
      "the response is a redirect ({detail}), which is not followed. Set {setting} to the address to which it leads.",
    httpsPort: "{setting} starts with http, but its port is one for https ({detail}). Write https.",
    clientCertificate,
    headersTooLarge:
      "a gateway on the way refuses headers of this size ({detail}). The token is usually the largest: raise the gateway's limit, or let the client put fewer roles into its tokens.",
    bug: "processing the response caused the error {detail}. This is a bug in pulumi-project-service. Please report it.",
    badRequest:
      "the service responded with status {detail}, which its interface does not define. Check baseUrl, and whether a gateway on the way accepts headers as large as the token.",
    unknownStatus:
      "the service responded with status {detail}, which its interface does not define. Check baseUrl.",
  },
  LIST_INCOMPLETE: {
    incomplete:
      "the list is incomplete: {detail}. Check baseUrl and any proxy on the way. If projects are being created right now, try again.",
  },
  TOKEN_REFUSED: {
    tokenRefused:
      "the service rejected a new token (401). Check that the service at baseUrl accepts tokens of authUrl, realm and clientId.",
  },
  FORBIDDEN: {
    forbidden:
      "the service denied access (403). Ask for access to {projects} for the user in the setting username.",
  },
  NOT_FOUND: {
    notFound:
      "the service responded with status 404, not found. Check projectId, which is the id of the project and not its name. If the project was deleted in the service, restore it there or remove it from the program.",
  },
  RATE_LIMITED: {
    rateLimited:
      "the service responded with status {status} (too many requests){wait}. Lower maxConcurrency or try again later.",
  },
  SERVICE_UNAVAILABLE: {
    unavailable,
    notServed:
      "the service responded with status {detail}. Check baseUrl and any proxy on the way.",
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
    signInForbidden:
      "the sign-in was rejected (403, {detail}). A rule of the identity provider, a limit of sessions or a gateway can be the cause. Check realm, clientId and {@username}, and end old sessions of this user.",
    loginRejected:
      "the sign-in was rejected ({status}, {detail}). Check realm, clientId, username and {@password}.",
    userRejected:
      "the user name or the password was rejected ({status}, {detail}). Check {@username} and {@password}. A user who is locked, disabled or not fully set up gets the same response. Keycloak also rejects a sign-in while another one of the same user is under way.",
    clientRejected:
      "the client was rejected, or may not use the password grant ({status}, {detail}). Check {@clientId} and {@clientSecret}, and that direct access grants are enabled for the client.",
    scopeRejected: "the scope was rejected ({status}, {detail}). Check {@scope}.",
    noRealm: "the realm does not exist ({status}). Check {@realm}.",
  },
} as const satisfies Partial<Record<ProjectServiceErrorCode, Record<string, string>>>;

type Texts = typeof texts;
export type FailureKind = { [Code in keyof Texts]: keyof Texts[Code] }[keyof Texts];

export const failureTexts = Object.fromEntries(
  Object.entries(texts).flatMap(([code, kinds]) =>
    Object.entries(kinds).map(([kind, text]) => [kind, { code, text }]),
  ),
) as Record<FailureKind, { readonly code: keyof Texts; readonly text: string }>;
