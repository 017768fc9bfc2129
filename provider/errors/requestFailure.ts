import { join, sep } from "node:path";
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

/** What the rows of the tables say, apart from the code. */
interface Facts {
  /** The setting with the server's address. */
  readonly setting: "baseUrl" | "authUrl";
  readonly host: string;
  /** Node's code, a status, a number of seconds or a sentence. */
  readonly detail: string;
  /** Host and port of the proxy. */
  readonly proxy: string;
  readonly isList: boolean;
}

type Text = string | ((facts: Facts) => string);
/** `invalid` is the code for a response of that server that cannot be used. */
type Row = readonly [code: ProjectServiceErrorCode | "invalid", reason: Text, advice: Text];

const variables = "Check HTTPS_PROXY, HTTP_PROXY or ALL_PROXY";
const tryLater = "Try again later.";
const responded = ({ detail }: Facts) => `the service responded with status ${detail}`;
const answered = ({ detail }: Facts) => `the identity provider responded with status ${detail}`;
const checkTokenEndpoint =
  "Check authUrl and realm. The token endpoint must be at {authUrl}/auth/realms/{realm}/protocol/openid-connect/token. Servers without /auth in their paths are not supported.";

/** Requests without a response that can be used, by cause. */
const rows = {
  network: [
    "UNREACHABLE",
    ({ host, detail }) => `no response from ${host} (${detail})`,
    ({ setting }) => `Check ${setting} and the network.`,
  ],
  proxy: [
    "UNREACHABLE",
    ({ proxy, detail }) => `no connection through the proxy ${proxy} (${detail})`,
    ({ host }) => `${variables} and the network. To bypass the proxy, add ${host} to NO_PROXY.`,
  ],
  proxyStatus: [
    "UNREACHABLE",
    ({ proxy, host, detail }) => `the proxy ${proxy} refused to connect to ${host} (${detail})`,
    ({ host }) =>
      `${variables}, and whether the proxy requires a user name and a password. To bypass it, add ${host} to NO_PROXY.`,
  ],
  proxyTls: [
    "TLS_FAILED",
    ({ proxy, detail }) => `no secure connection to the proxy ${proxy} (${detail})`,
    `${variables}. The address in that variable may have to start with http:// instead of https://. If a private certificate authority issued the proxy's certificate, set caCertificate.`,
  ],
  tls: [
    "TLS_FAILED",
    ({ host, detail }) => `no secure connection to ${host} (${detail})`,
    tlsAdvice,
  ],
  tooLarge: ["invalid", "the response is too large", ({ setting }) => `Check ${setting}.`],
  malformed: [
    "invalid",
    ({ detail }) => `the response is not valid HTTP (${detail})`,
    ({ setting }) => `Check ${setting} and any proxy on the way.`,
  ],
  timeout: [
    "TIMEOUT",
    ({ detail }) => `no complete response within ${detail} s`,
    ({ setting }) => `Check ${setting} and the network, or raise timeoutSeconds.`,
  ],
  contract: [
    "invalid",
    ({ detail }) => `the response is invalid: ${detail}`,
    ({ setting }) => `Check that ${setting} is the address of the service.`,
  ],
  incomplete: [
    "LIST_INCOMPLETE",
    ({ detail }) => `the list is incomplete: ${detail}`,
    "Check baseUrl and any proxy on the way. If projects are being created right now, try again.",
  ],
  redirect: [
    "invalid",
    ({ detail }) => `the response is a redirect (${detail}), which is not followed`,
    ({ setting }) => `Set ${setting} to the address to which it leads.`,
  ],
  bug: [
    "invalid",
    ({ detail }) => `processing the response caused the error ${detail}`,
    "This is a bug in pulumi-project-service. Please report it.",
  ],
  loginUnavailable: ["LOGIN_UNAVAILABLE", answered, tryLater],
  loginNoJson: ["LOGIN_RESPONSE_INVALID", "the response is not JSON", checkTokenEndpoint],
  loginOther: [
    "LOGIN_RESPONSE_INVALID",
    (facts) => `${answered(facts)} and no OAuth error`,
    checkTokenEndpoint,
  ],
} as const satisfies Record<string, Row>;

/** Responses of the project API with another status than 200. */
const statusRows: Readonly<Record<number, Row>> = {
  401: [
    "TOKEN_REFUSED",
    "the service rejected a new token (401)",
    "Check that the service at baseUrl accepts tokens of authUrl, realm and clientId.",
  ],
  403: [
    "FORBIDDEN",
    "the service denied access (403)",
    ({ isList }) =>
      `Ask for access to ${isList ? "projects" : "this project"} for the user in the setting username.`,
  ],
  404: [
    "NOT_FOUND",
    (facts) => `${responded(facts)}, not found`,
    ({ isList }) =>
      isList
        ? "There is no project list at this address. Check baseUrl."
        : "Check projectId, which is the id of the project and not its name. If the project was deleted in the service, restore it there or remove it from the program.",
  ],
  408: ["TIMEOUT", responded, tryLater],
  429: [
    "RATE_LIMITED",
    (facts) => `${responded(facts)}, too many requests`,
    "Lower maxConcurrency or try again later.",
  ],
};
const serverError: Row = ["SERVICE_UNAVAILABLE", responded, tryLater];
const undefinedStatus: Row = [
  "RESPONSE_INVALID",
  (facts) => `${responded(facts)}, which its interface does not define`,
  "Check baseUrl.",
];

/**
 * OAuth errors: those of RFC 6749, section 5.2, and Keycloak's for a realm that does not exist. The server's
 * description selects a row. Its texts are never part of a message.
 */
const oauthRows: readonly (readonly [
  error: string,
  description: RegExp,
  reason: string,
  /** What to check. The message also says where they were found. */
  settings: readonly string[],
  /** Instead of "Check" and the settings. */
  advice?: string,
])[] = [
  [
    "invalid_grant",
    /disabled/i,
    "the user is disabled",
    ["username"],
    "Ask an administrator of the identity provider to enable the user in the setting username.",
  ],
  [
    "invalid_grant",
    /not fully set up/i,
    "the user's account is not fully set up",
    ["username"],
    "Sign in once in a browser as the user in the setting username and complete the account.",
  ],
  [
    "invalid_grant",
    /^/,
    "the user name or the password was rejected",
    ["username", "password"],
    "Check username and password. A user who is locked after failed sign-ins gets the same response.",
  ],
  ["invalid_client", /^/, "the client was rejected", ["clientId", "clientSecret"]],
  // Keycloak's response to a wrong clientSecret.
  [
    "unauthorized_client",
    /invalid client/i,
    "the client's secret was rejected",
    ["clientId", "clientSecret"],
  ],
  [
    "unauthorized_client",
    /^/,
    "the client may not use the password grant",
    ["clientId"],
    "Ask an administrator of the identity provider to enable direct access grants for the client in the setting clientId.",
  ],
  [
    "unsupported_grant_type",
    /^/,
    "the password grant is not supported",
    ["authUrl", "realm"],
    "Check authUrl and realm, and that the client allows direct access grants.",
  ],
  ["invalid_scope", /^/, "the scope was rejected", ["scope"]],
  ["access_denied", /^/, "access was denied", ["username", "clientId"]],
  ["Realm does not exist", /^/, "the realm does not exist", ["realm"]],
  [
    "invalid_request",
    /^/,
    "the sign-in was rejected",
    ["realm", "clientId", "username", "password"],
    "Check realm, clientId, username and password.",
  ],
];

export type FailureKind = keyof typeof rows;

/** What callers of a request need to know of its failure. */
interface FailureDetails {
  /** Of a complete response, or of a proxy. */
  readonly status?: number | undefined;
  /** Of a response that has begun. */
  readonly begunStatus?: number | undefined;
  /** The settings whose origins the message names. */
  readonly settings?: readonly string[];
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
    readonly reason: string,
    readonly advice: string,
    readonly details: FailureDetails = {},
  ) {
    super(reason);
  }
}

/** Makes the failure of a request without a usable response. */
export function failureOf(
  kind: FailureKind,
  context: RequestContext,
  detail: string,
  { proxy, ...details }: FailureDetails & { readonly proxy?: string } = {},
): RequestFailure {
  return failureIn(rows[kind], context, detail, details, proxy);
}

/** Makes the failure for a response of the project API with another status than 200. */
export function failureOfStatus(
  status: number,
  context: RequestContext,
  details: FailureDetails = {},
): RequestFailure {
  if (isRedirect(status)) return failureOf("redirect", context, String(status), { status });
  const row = statusRows[status] ?? (status >= 500 ? serverError : undefinedStatus);
  return failureIn(row, context, String(status), { ...details, status });
}

/** Makes the failure for a response of the token endpoint with neither a token nor an OAuth error. */
export function failureOfLoginStatus(
  status: number,
  context: RequestContext,
  details: FailureDetails = {},
): RequestFailure {
  const isUnavailable = status >= 500 || status === 429 || status === 408;
  const kind = isUnavailable ? "loginUnavailable" : status === 200 ? "loginNoJson" : "loginOther";
  const row = isRedirect(status) ? "redirect" : kind;
  return failureOf(row, context, String(status), { ...details, status });
}

/** Makes the failure for an OAuth error, or returns undefined for other responses. */
export function failureOfOauthError(status: number, json: unknown): RequestFailure | undefined {
  const fields = (json ?? {}) as Readonly<Record<string, unknown>>;
  const { error, error_description: description, access_token: token } = fields;
  if (typeof error !== "string" || (token ?? undefined) !== undefined) return undefined;
  const text = typeof description === "string" ? description : "";
  const row =
    oauthRows.find((each) => each[0] === error && each[1].test(text)) ??
    // With status 200, any error says that there is no token. With others, it may be a firewall's page.
    (status === 200 ? oauthRows.at(-1) : undefined);
  if (row === undefined) return undefined;
  const [, , reason, settings, advice = `Check ${settings.join(" and ")}.`] = row;
  const details = { status, settings };
  return new RequestFailure("LOGIN_REJECTED", `${reason} (${status})`, advice, details);
}

function failureIn(
  [code, reason, advice]: Row,
  { url, urlSetting, projectId }: RequestContext,
  detail: string,
  details: FailureDetails,
  proxy = "",
): RequestFailure {
  const { host } = new URL(url);
  const facts = { setting: urlSetting, host, detail, proxy, isList: projectId === undefined };
  const textOf = (text: Text) => (typeof text === "string" ? text : text(facts));
  const invalid = urlSetting === "authUrl" ? "LOGIN_RESPONSE_INVALID" : "RESPONSE_INVALID";
  const own = code === "invalid" ? invalid : code;
  return new RequestFailure(own, textOf(reason), textOf(advice), details);
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function tlsAdvice({ detail, setting }: Facts): string {
  switch (detail) {
    case "CERT_HAS_EXPIRED":
      return "The server's certificate has expired and must be renewed.";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `The certificate is for another host. Check ${setting}.`;
    case "EPROTO":
    case "ERR_SSL_WRONG_VERSION_NUMBER":
      return `The server may not speak TLS at this port. Check ${setting}.`;
    default:
      return "If a private certificate authority issued the certificate, set caCertificate.";
  }
}

/** A URL can be as long as an id or a link that the service sent. */
const maxDisplayedUrl = 300;

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
  const { code, reason, advice, details } = toFailure(error, context);
  const { status, settings = [] } = details;
  const { origin, pathname } = new URL(url);
  const path = isSecret ? pathname.slice(0, pathname.lastIndexOf("/")) : pathname;
  const found = settings
    .filter((setting) => origins[setting] !== undefined)
    .map(
      (setting, index) =>
        `${index === 0 ? `The setting ${setting} comes` : setting} from ${origins[setting]}`,
    );
  const hint = found.length === 0 ? "" : ` ${found.join(", ")}.`;
  return new ProjectServiceError(
    code,
    `${operation} failed: ${reason}. ${advice}${hint} (URL: ${displayText(origin + path, maxDisplayedUrl)})`,
    { status, projectId: isSecret ? undefined : projectId, url: origin + path },
  );
}

function toFailure(error: unknown, context: RequestContext): RequestFailure {
  if (error instanceof RequestFailure) return error;
  if (error instanceof InvalidResponseError) {
    const { code, reason, advice } = failureOf("contract", context, error.message);
    return new RequestFailure(code, reason, error.advice ?? advice);
  }
  if (error instanceof IncompleteListError) return failureOf("incomplete", context, error.message);
  return failureOf("bug", context, `${nameOf(error)}${placeOf(error)}`);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.constructor.name : typeof error;
}

const packageFolder = join(__dirname, "..", "..") + sep;

/** Returns the topmost place in this package's code, such as ` at provider/wire/mapping.js:82:7`. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const { stack = "", message } = error;
  // The message precedes the frames. It can hold anything, also lines that look like a frame.
  const frames = stack.slice(stack.indexOf(message) + message.length).split("\n");
  const paths = frames.map((frame) => frame.split(packageFolder)[1] ?? "");
  const place = paths.map((path) => /^[\w/\\.-]+:\d+:\d+/.exec(path)?.[0]).find(Boolean);
  return place === undefined ? "" : ` at ${place}`;
}
