/* What is wrong and what to do, for each way in which a request can fail. */
import type { ProjectServiceErrorCode } from "./projectServiceError.js";

const proxyVariables = "Check HTTPS_PROXY, HTTP_PROXY or ALL_PROXY";
const noTunnel = `no connection through the proxy {proxy} ({detail}). ${proxyVariables}, and the network. The address of most proxies starts with http://. With https://, the authority of its certificate must be trusted (caCertificate). To bypass the proxy, add {host} to NO_PROXY.`;
const unavailable =
  "the service responded with status {detail}{wait}. Try again later. If it stays, check baseUrl and any proxies.";
const checkTokenEndpoint =
  "The token endpoint must be at this URL. For Keycloak 17 and newer, set authUrl to the address of the realm, which ends with /realms/ and its name. Otherwise, check realm, authUrl, which must not end with /auth, and any proxies.";

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
    cutOff: "the response from {host} was cut off ({detail}). Check the network and any proxies.",
    proxy: noTunnel,
    proxyStatus: `the proxy {proxy} refused to connect to {host} ({detail}). ${proxyVariables} (after 407, the user name and password there), {setting}, and whether the proxy allows this host and port. To bypass the proxy, add {host} to NO_PROXY.`,
  },
  TLS_FAILED: {
    tls: "no secure connection to {host} ({detail}). Check host name and port in {setting}, and the server's certificate. If a private certificate authority issued it, set caCertificate to the certificate of that authority. Client certificates cannot be used.",
    proxyTls: noTunnel,
  },
  TIMEOUT: {
    timeout:
      "no complete response within {detail}. Check {setting} and the network, or raise timeoutSeconds.",
    proxyTimeout: noTunnel,
    requestTimeout: unavailable,
  },
  // From the token endpoint, these are LOGIN_RESPONSE_INVALID.
  RESPONSE_INVALID: {
    // Not NOT_FOUND: a program may take that for the deletion of a project.
    noList:
      "the service responded with status 404 (not found). There is no project list at this address. Check baseUrl and any proxies.",
    contract: "the response is invalid: {detail}",
    malformed: "the response is not valid HTTP ({detail}). Check {setting} and any proxies.",
    redirect:
      "the response is a redirect ({detail}), which is not followed. Check {setting} and any proxies.",
    bug: "processing the response caused the error {detail}. This is a bug in pulumi-project-service. Please report it.",
    // Not NOT_FOUND, nor of one project: a program would take it for a deletion, or skip the project.
    page: "a gateway sent a page (status {detail}), which says nothing about {projects}. Check baseUrl and any proxies.",
    unknownStatus:
      "the service responded with status {detail}, which its interface does not define. Check baseUrl.",
    largeHeaders:
      "the service responded with status {detail}. Check baseUrl. A gateway in between may refuse headers as large as the token: raise its limit, or put fewer roles in the tokens.",
  },
  TOKEN_REFUSED: {
    tokenRefused:
      "the service rejected the token (401). If it rejects all reads, check that the service at baseUrl accepts tokens that authUrl issues for realm and clientId.",
  },
  FORBIDDEN: {
    forbidden:
      "the service denied access (403). Ask for access to {projects} for the user in the setting username.",
  },
  NOT_FOUND: {
    notFound:
      "the service responded with status 404 (not found). If the program has this projectId, check that it is the project's id, not its name. If the project was deleted in the service, restore it there or remove it from the program.",
  },
  RATE_LIMITED: {
    rateLimited:
      "the service responded with status {status} (too many requests){wait}. Lower maxConcurrency or try again later.",
  },
  SERVICE_UNAVAILABLE: { unavailable },
  LOGIN_UNAVAILABLE: {
    loginUnavailable:
      "the identity provider responded with status {detail}{wait}. Try again later.",
  },
  LOGIN_RESPONSE_INVALID: {
    loginNoOauth: `the identity provider responded with status {detail}, but without a token or an OAuth error. ${checkTokenEndpoint}`,
  },
  LOGIN_REJECTED: {
    loginRejected: `the sign-in was rejected ({status}, {detail}). Check realm, clientId, username and password. A rule of the identity provider, a session limit or a gateway can be the cause. ${whereFound}`,
    userRejected: `the user name or the password was rejected ({status}, {detail}). Check username and password. A user who is locked, disabled or not fully set up gets the same response. Keycloak can also reject a sign-in while the same user is signing in elsewhere. ${whereFound}`,
    clientRejected: `the client was rejected, or may not use the password grant ({status}, {detail}). Check clientId and clientSecret, and that direct access grants are enabled for the client. ${whereFound}`,
    scopeRejected: `the scope was rejected ({status}, {detail}). Check scope. ${whereFound}`,
    noRealm: `the realm does not exist ({status}). Check realm, or the end of authUrl. ${whereFound}`,
  },
} as const satisfies Partial<Record<ProjectServiceErrorCode, Record<string, string>>>;

type Texts = typeof texts;
export type FailureKind = { [Code in keyof Texts]: keyof Texts[Code] }[keyof Texts];

export const failureTexts = Object.fromEntries(
  Object.entries(texts).flatMap(([code, kinds]) =>
    Object.entries(kinds).map(([kind, text]) => [kind, { code, text }]),
  ),
) as Record<FailureKind, { readonly code: keyof Texts; readonly text: string }>;
