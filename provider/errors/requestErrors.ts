import { join, sep } from "node:path";
import { displayText } from "./displayText.js";
import {
  IncompleteListError,
  InvalidResponseError,
  isTlsCode,
  type TimeLimitName,
  TimeoutError,
  TransportError,
} from "./internalErrors.js";
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

/** What went wrong with a request. */
export interface Failure {
  readonly code: ProjectServiceErrorCode;
  /** Continues "Reading project p-1 failed: ", without a period. */
  readonly reason: string;
  /** What to do, in complete sentences. */
  readonly advice: string;
  readonly status?: number | undefined;
}

/** A URL can be as long as an id or a link that the service sent. */
const maxDisplayedUrl = 300;

/** Makes the error for a request that failed. */
export function requestError(
  { operation, url, projectId, isSecret = false }: RequestContext,
  { code, reason, advice, status }: Failure,
): ProjectServiceError {
  const { origin, pathname } = new URL(url);
  const path = isSecret ? pathname.slice(0, pathname.lastIndexOf("/")) : pathname;
  return new ProjectServiceError(
    code,
    `${operation} failed: ${reason}. ${advice} (URL: ${displayText(origin + path, maxDisplayedUrl)})`,
    { status, projectId: isSecret ? undefined : projectId, url: origin + path },
  );
}

/** The code for a response that cannot be used. */
export function invalidResponseCode({ urlSetting }: RequestContext): ProjectServiceErrorCode {
  return urlSetting === "authUrl" ? "LOGIN_RESPONSE_INVALID" : "RESPONSE_INVALID";
}

/**
 * Turns any error of a library or of Node into a {@link ProjectServiceError}.
 *
 * Only the kind and the code of the other error are used. Its message, cause and stack may contain
 * headers, tokens and response bodies.
 */
export function translateError(error: unknown, context: RequestContext): ProjectServiceError {
  if (error instanceof ProjectServiceError) return error;
  if (error instanceof TimeoutError) return errorOfTimeout(error, context);
  if (error instanceof TransportError) return errorOfTransport(error, context);
  if (error instanceof InvalidResponseError) {
    return requestError(context, {
      code: invalidResponseCode(context),
      reason: `the response is invalid: ${error.message}`,
      advice: `Check that ${context.urlSetting} is the address of the service.`,
    });
  }
  if (error instanceof IncompleteListError) {
    return requestError(context, {
      code: "LIST_INCOMPLETE",
      reason: `the list is incomplete: ${error.message}`,
      advice:
        "Check baseUrl and any proxy on the way. If projects are being created right now, try again.",
    });
  }
  return requestError(context, {
    code: invalidResponseCode(context),
    reason: `processing the response caused the error ${nameOf(error)}${placeOf(error)}`,
    advice: "This is a bug in pulumi-project-service. Please report it.",
  });
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
  for (const frame of frames) {
    const [, path] = frame.split(packageFolder);
    const place = /^[\w/\\.-]+:\d+:\d+/.exec(path ?? "");
    if (place !== null) return ` at ${place[0]}`;
  }
  return "";
}

/** Makes the error for a request without a usable HTTP response. */
function errorOfTransport(error: TransportError, context: RequestContext): ProjectServiceError {
  const { kind, code } = error;
  const { urlSetting } = context;
  const { host } = new URL(context.url);
  switch (kind) {
    case "network":
      return requestError(context, {
        code: "UNREACHABLE",
        reason: `no response from ${host} (${code})`,
        advice: `Check ${urlSetting} and the network.`,
      });
    case "proxy":
      return errorOfProxy(error, host, context);
    case "tls":
      return requestError(context, {
        code: "TLS_FAILED",
        reason: `no secure connection to ${host} (${code})`,
        advice: adviceOnCertificate(code, urlSetting),
      });
    case "tooLarge":
      return requestError(context, {
        code: invalidResponseCode(context),
        reason: "the response is too large",
        advice: `Check ${urlSetting}.`,
      });
    case "malformed":
      return requestError(context, {
        code: invalidResponseCode(context),
        reason: `the response is not valid HTTP (${code})`,
        advice: `Check ${urlSetting} and any proxy on the way.`,
      });
  }
}

function errorOfProxy(
  { code, proxyHost }: TransportError,
  host: string,
  context: RequestContext,
): ProjectServiceError {
  const variables = "Check HTTPS_PROXY, HTTP_PROXY or ALL_PROXY";
  if (isTlsCode(code)) {
    return requestError(context, {
      code: "TLS_FAILED",
      reason: `no secure connection to the proxy ${proxyHost} (${code})`,
      advice: `${variables}. The address in that variable may have to start with http:// instead of https://. If a private certificate authority issued the proxy's certificate, set caCertificate.`,
    });
  }
  if (/^\d+$/.test(code)) {
    return requestError(context, {
      code: "UNREACHABLE",
      status: Number(code),
      reason: `the proxy ${proxyHost} refused to connect to ${host} (${code})`,
      advice: `${variables}, and whether the proxy requires a user name and a password. To bypass it, add ${host} to NO_PROXY.`,
    });
  }
  return requestError(context, {
    code: "UNREACHABLE",
    reason: `no connection through the proxy ${proxyHost} (${code})`,
    advice: `${variables} and the network. To bypass the proxy, add ${host} to NO_PROXY.`,
  });
}

/** Makes the error for a request that reached a limit of time. The message names the limit. */
function errorOfTimeout(
  { limit, durationMs }: TimeoutError,
  context: RequestContext,
): ProjectServiceError {
  const seconds = durationMs / 1_000;
  const reasons: Record<TimeLimitName, string> = {
    attempt: `no complete response within ${seconds} s`,
    request: `no complete response within ${seconds} s, the limit for all attempts of a request`,
    list: `not all pages of the list within ${seconds} s, the limit for a list`,
  };
  // Each limit is raised in another way.
  const remedy =
    limit === "attempt"
      ? "raise timeoutSeconds"
      : `set timeoutSeconds to more than ${seconds}, which raises this limit too`;
  return requestError(context, {
    code: "TIMEOUT",
    reason: reasons[limit],
    advice: `Check ${context.urlSetting} and the network, or ${remedy}.`,
  });
}

function adviceOnCertificate(code: string, urlSetting: string): string {
  switch (code) {
    case "CERT_HAS_EXPIRED":
      return "The server's certificate has expired and must be renewed.";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `The certificate is for another host. Check ${urlSetting}.`;
    case "EPROTO":
    case "ERR_SSL_WRONG_VERSION_NUMBER":
      return `The server may not speak TLS at this port. Check ${urlSetting}.`;
    default:
      return "If a private certificate authority issued the certificate, set caCertificate.";
  }
}
