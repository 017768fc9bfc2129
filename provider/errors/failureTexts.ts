/* What is wrong and what to do, for each way in which a request can fail. */
import type { ProjectServiceErrorCode } from "./projectServiceError.js";

const proxyVariables = "Check HTTPS_PROXY, HTTP_PROXY or ALL_PROXY";
const noTls = "no secure connection to {host} ({detail}).";
const noTlsAtPort = `${noTls} The server may not speak TLS at this port. Check {setting}.`;
const unavailable = "the service responded with status {detail}. Try again later.";
const checkTokenEndpoint =
  "Check authUrl and realm. The token endpoint must be at {tokenEndpoint}. Servers without /auth in their paths are not supported.";

/**
 * What is wrong and what to do, by code and kind of failure. The text for a kind with its detail comes first:
 * `tls EPROTO` before `tls`.
 *
 * `{detail}` is Node's code, a status, a number of seconds or a sentence, and `{setting}` the setting with the
 * server's address. A setting in braces, such as `{username}`, is one whose origin the message names.
 */
const texts = {
  UNREACHABLE: {
    network: "no response from {host} ({detail}). Check {setting} and the network.",
    proxy: `no connection through the proxy {proxy} ({detail}). ${proxyVariables} and the network. To bypass the proxy, add {host} to NO_PROXY.`,
    proxyStatus: `the proxy {proxy} refused to connect to {host} ({detail}). ${proxyVariables}, and whether the proxy requires a user name and a password. To bypass it, add {host} to NO_PROXY.`,
  },
  TLS_FAILED: {
    tls: `${noTls} If a private certificate authority issued the certificate, set caCertificate.`,
    "tls CERT_HAS_EXPIRED": `${noTls} The server's certificate has expired and must be renewed.`,
    "tls ERR_TLS_CERT_ALTNAME_INVALID": `${noTls} The certificate is for another host. Check {setting}.`,
    "tls EPROTO": noTlsAtPort,
    "tls ERR_SSL_WRONG_VERSION_NUMBER": noTlsAtPort,
    proxyTls: `no secure connection to the proxy {proxy} ({detail}). ${proxyVariables}. The address in that variable may have to start with http:// instead of https://. If a private certificate authority issued the proxy's certificate, set caCertificate.`,
  },
  TIMEOUT: {
    timeout:
      "no complete response within {detail} s. Check {setting} and the network, or raise timeoutSeconds.",
    "status 408": unavailable,
  },
  // From the token endpoint, these are LOGIN_RESPONSE_INVALID.
  RESPONSE_INVALID: {
    contract:
      "the response is invalid: {detail}. Check that {setting} is the address of the service.",
    contractWithAdvice: "the response is invalid: {detail}",
    tooLarge: "the response is too large. Check {setting}.",
    malformed:
      "the response is not valid HTTP ({detail}). Check {setting} and any proxy on the way.",
    redirect:
      "the response is a redirect ({detail}), which is not followed. Set {setting} to the address to which it leads.",
    bug: "processing the response caused the error {detail}. This is a bug in pulumi-project-service. Please report it.",
    status:
      "the service responded with status {detail}, which its interface does not define. Check baseUrl.",
  },
  LIST_INCOMPLETE: {
    incomplete:
      "the list is incomplete: {detail}. Check baseUrl and any proxy on the way. If projects are being created right now, try again.",
  },
  TOKEN_REFUSED: {
    "status 401":
      "the service rejected a new token (401). Check that the service at baseUrl accepts tokens of authUrl, realm and clientId.",
  },
  FORBIDDEN: {
    "status 403":
      "the service denied access (403). Ask for access to {projects} for the user in the setting username.",
  },
  NOT_FOUND: {
    "status 404":
      "the service responded with status 404, not found. Check projectId, which is the id of the project and not its name. If the project was deleted in the service, restore it there or remove it from the program.",
    noList:
      "the service responded with status 404, not found. There is no project list at this address. Check baseUrl.",
  },
  RATE_LIMITED: {
    "status 429":
      "the service responded with status 429, too many requests. Lower maxConcurrency or try again later.",
  },
  SERVICE_UNAVAILABLE: { unavailable },
  LOGIN_UNAVAILABLE: {
    loginUnavailable: "the identity provider responded with status {detail}. Try again later.",
  },
  LOGIN_RESPONSE_INVALID: {
    login: `the identity provider responded with status {detail} and no OAuth error. ${checkTokenEndpoint}`,
    "login 200": `the response is not JSON. ${checkTokenEndpoint}`,
  },
  // OAuth errors of RFC 6749, section 5.2, some with a phrase of the server's description, and Keycloak's for a
  // realm that does not exist.
  LOGIN_REJECTED: {
    "oauth invalid_grant":
      "the user name or the password was rejected ({detail}). Check {username} and {password}. A user who is locked after failed sign-ins gets the same response.",
    "oauth invalid_grant disabled":
      "the user is disabled ({detail}). Ask an administrator of the identity provider to enable the user in the setting {username}.",
    "oauth invalid_grant not fully set up":
      "the user's account is not fully set up ({detail}). Sign in once in a browser as the user in the setting {username} and complete the account.",
    "oauth invalid_client":
      "the client was rejected ({detail}). Check {clientId} and {clientSecret}.",
    // Keycloak's response to a wrong clientSecret.
    "oauth unauthorized_client invalid client":
      "the client's secret was rejected ({detail}). Check {clientId} and {clientSecret}.",
    "oauth unauthorized_client":
      "the client may not use the password grant ({detail}). Ask an administrator of the identity provider to enable direct access grants for the client in the setting {clientId}.",
    "oauth unsupported_grant_type":
      "the password grant is not supported ({detail}). Check {authUrl} and {realm}, and that the client allows direct access grants.",
    "oauth invalid_scope": "the scope was rejected ({detail}). Check {scope}.",
    "oauth access_denied": "access was denied ({detail}). Check {username} and {clientId}.",
    "oauth Realm does not exist": "the realm does not exist ({detail}). Check {realm}.",
    "oauth invalid_request":
      "the sign-in was rejected ({detail}). Check {realm}, {clientId}, {username} and {password}.",
  },
} as const satisfies Partial<Record<ProjectServiceErrorCode, Record<string, string>>>;

type Texts = typeof texts;
export type FailureKind = { [Code in keyof Texts]: keyof Texts[Code] }[keyof Texts];

export const textOfKind = new Map(
  Object.entries(texts).flatMap(([code, kinds]) =>
    Object.entries(kinds).map(([kind, text]) => [kind, { code: code as keyof Texts, text }]),
  ),
);
