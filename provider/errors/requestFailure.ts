import { displayText } from "./displayText.js";
import { IncompleteListError, InvalidResponseError } from "./internalErrors.js";
import { ProjectServiceError, type ProjectServiceErrorCode } from "./projectServiceError.js";

/** What is being requested, for the message if it fails. */
export interface RequestContext {
  /** The start of the message: "Reading project p-1". */
  readonly operation: string;
  readonly url: string;
  /** The setting with the server's address, for the advice. */
  readonly urlSetting: "baseUrl" | "authUrl";
  readonly projectId?: string | undefined;
  /** Whether the error must not contain the last segment of the address, and `projectId`. */
  readonly isSecret?: boolean | undefined;
}

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

const textOfKind = new Map(
  Object.entries(texts).flatMap(([code, kinds]) =>
    Object.entries(kinds).map(([kind, text]) => [kind, { code: code as keyof Texts, text }]),
  ),
);

/** What callers of a request need to know of its failure. */
interface FailureDetails {
  /** Of a complete response, or of a proxy. */
  readonly status?: number | undefined;
  /** Of a response that has begun. */
  readonly begunStatus?: number | undefined;
  /** Whether another attempt may succeed. Default false. */
  readonly isRetryable?: boolean;
  /** How long the server asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** Whether the server may have received the request. Default true. */
  readonly wasSent?: boolean;
}

/** Why a request failed. It never leaves the package: {@link requestError} makes the error for users. */
export class RequestFailure extends Error {
  constructor(
    readonly code: ProjectServiceErrorCode,
    /** The reason, and what to do. */
    message: string,
    /** The settings whose origins a user may want to know. */
    readonly settings: readonly string[],
    readonly details: FailureDetails,
  ) {
    super(message);
  }
}

export function failureOf(
  kind: FailureKind,
  { url, urlSetting, projectId }: RequestContext,
  detail: string,
  { proxy = "", ...details }: FailureDetails & { readonly proxy?: string } = {},
): RequestFailure {
  const { code, text } = (textOfKind.get(`${kind} ${detail}`) ?? textOfKind.get(kind))!;
  const facts: Readonly<Record<string, string>> = {
    setting: urlSetting,
    host: new URL(url).host,
    proxy,
    detail,
    projects: projectId === undefined ? "projects" : "this project",
    tokenEndpoint: "{authUrl}/auth/realms/{realm}/protocol/openid-connect/token",
  };
  const settings: string[] = [];
  const message = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (facts[name] === undefined) settings.push(name);
    return facts[name] ?? name;
  });
  const isLogin = code === "RESPONSE_INVALID" && urlSetting === "authUrl";
  return new RequestFailure(isLogin ? "LOGIN_RESPONSE_INVALID" : code, message, settings, details);
}

/** Makes the failure for a response of the project API with another status than 200. */
export function failureOfStatus(
  status: number,
  context: RequestContext,
  details: FailureDetails,
): RequestFailure {
  const isMissingList = status === 404 && context.projectId === undefined;
  const other = status >= 500 ? "unavailable" : isMissingList ? "noList" : "status";
  const kind = isRedirect(status) ? "redirect" : other;
  return failureOf(kind, context, String(status), { ...details, status });
}

/** Makes the failure for a response of the token endpoint. Returns undefined if it may have a token. */
export function failureOfLogin(
  status: number,
  json: unknown,
  context: RequestContext,
  details: FailureDetails,
): RequestFailure | undefined {
  const isUnavailable = status >= 500 || status === 429 || status === 408;
  const other = isRedirect(status) ? "redirect" : "login";
  const kind = isUnavailable ? "loginUnavailable" : (kindOfOauthError(status, json) ?? other);
  if (kind === "login" && status === 200 && json !== undefined) return undefined;
  return failureOf(kind, context, String(status), { ...details, status });
}

const phrases = ["disabled", "not fully set up", "invalid client"];

/** Texts of the server select a kind, and are never part of a message. */
function kindOfOauthError(status: number, json: unknown): FailureKind | undefined {
  const fields = (json ?? {}) as Readonly<Record<string, unknown>>;
  const { error, error_description: description, access_token: token } = fields;
  if (typeof error !== "string" || (token ?? undefined) !== undefined) return undefined;
  if (status !== 200 && status < 400) return undefined;
  const phrase = phrases.find((each) => String(description).toLowerCase().includes(each));
  const kinds = [`oauth ${error} ${phrase}`, `oauth ${error}`];
  // With status 200, any error says that there is no token. With others, it may be a firewall's page.
  if (status === 200) kinds.push("oauth invalid_request");
  return kinds.find((kind): kind is FailureKind => textOfKind.has(kind));
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/**
 * Makes the error for users from whatever ended a request.
 *
 * Only kind and code of a foreign error are used. Its message, cause and stack may contain headers,
 * tokens and response bodies.
 *
 * @param origins where settings were found.
 */
export function requestError(
  error: unknown,
  context: RequestContext,
  origins: Readonly<Partial<Record<string, string>>> = {},
): ProjectServiceError {
  if (error instanceof ProjectServiceError) return error;
  const { operation, url, projectId, isSecret = false } = context;
  const { code, message, settings, details } = toFailure(error, context);
  const { origin, pathname } = new URL(url);
  const path = isSecret ? pathname.slice(0, pathname.lastIndexOf("/")) : pathname;
  const found = settings.filter((setting) => origins[setting] !== undefined);
  const places = found.map((setting) => `${setting} from ${origins[setting]}`).join(", ");
  const hint = places === "" ? "" : ` The setting ${places.replace(" from", " comes from")}.`;
  return new ProjectServiceError(
    code,
    // A path can be as long as an id that the service sent.
    `${operation} failed: ${message}${hint} (URL: ${origin}${displayText(path, 300)})`,
    { status: details.status, projectId: isSecret ? undefined : projectId, url: origin + path },
  );
}

function toFailure(error: unknown, context: RequestContext): RequestFailure {
  if (error instanceof RequestFailure) return error;
  if (error instanceof IncompleteListError) return failureOf("incomplete", context, error.message);
  if (error instanceof InvalidResponseError) {
    const { message, advice } = error;
    return advice === undefined
      ? failureOf("contract", context, message)
      : failureOf("contractWithAdvice", context, `${message}. ${advice}`);
  }
  const name = error instanceof Error ? error.constructor.name : typeof error;
  return failureOf("bug", context, name);
}
