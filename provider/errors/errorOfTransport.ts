import {
  isTlsCode,
  type TimeLimitName,
  type TimeoutError,
  type TransportError,
} from "./internalErrors.js";
import type { ProjectServiceError } from "./projectServiceError.js";
import { invalidResponseCode, type RequestContext, requestError } from "./requestContext.js";

/** Makes the error for a request without a usable HTTP response. */
export function errorOfTransport(
  error: TransportError,
  context: RequestContext,
): ProjectServiceError {
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
export function errorOfTimeout(
  { limit, durationMs }: TimeoutError,
  context: RequestContext,
): ProjectServiceError {
  const seconds = durationMs / 1_000;
  const [reason, remedy] = timeoutTexts[limit](seconds);
  return requestError(context, {
    code: "TIMEOUT",
    reason,
    advice: `Check ${context.urlSetting} and the network, or ${remedy}.`,
  });
}

type TimeoutTexts = (seconds: number) => [reason: string, remedy: string];

/** Each limit is raised in another way. */
const timeoutTexts: Record<TimeLimitName, TimeoutTexts> = {
  attempt: (seconds) => [`no complete response within ${seconds} s`, "raise timeoutSeconds"],
  request: (seconds) => [
    `no complete response within ${seconds} s, the limit for all attempts of a request`,
    `set timeoutSeconds to more than ${seconds}, which raises this limit too`,
  ],
  list: (seconds) => [
    `not all pages of the list within ${seconds} s, the limit for a list`,
    `set timeoutSeconds to more than ${seconds}, which raises this limit too`,
  ],
};

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
