/* Makes the failure of a request without a complete response. */
import { AxiosError } from "axios";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { FailureKind } from "../errors/failureTexts.js";
import {
  type RequestContext,
  requestFailure,
  type RequestFailure,
} from "../errors/requestFailure.js";
import { ProxyError } from "./agent.js";
import { isRetryableStatus } from "./httpResponse.js";

/** A request, and how far it got. */
export interface Exchange {
  readonly context: RequestContext;
  readonly limitMs: number;
  readonly proxy?: string | undefined;
  sent?: ClientRequest;
  isConnected?: boolean;
  /** A response that has begun. */
  response?: IncomingMessage;
  isExpired?: boolean;
  error?: NodeJS.ErrnoException;
}

/** @param error what axios threw. An error of ours is returned unchanged. */
export function networkFailure(error: unknown, exchange: Exchange): unknown {
  const { context, response, error: own } = exchange;
  if (exchange.isExpired) return timeoutFailure(exchange);
  if (!(error instanceof AxiosError)) return error;
  if (own instanceof ProxyError) return proxyFailure(own, context);
  const code = own?.code ?? error.code ?? "UNKNOWN";
  if (isTlsCode(code)) return failureIn(exchange, tlsKinds.get(code) ?? "tls", code);
  // The code comes from the decompression, or from Node's parser of HTTP.
  const isUndecodable = /^Z_|^ERR__/.test(code);
  if (isUndecodable || code.startsWith("HPE_")) {
    return failureIn(exchange, "malformed", code, isUndecodable);
  }
  return failureIn(exchange, response === undefined ? "network" : "cutOff", code, true);
}

const tlsKinds = new Map<string, FailureKind>([
  ["EPROTO", "tlsProtocol"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "tlsHost"],
  ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "tlsProtocol"],
]);

function failureIn(
  { context, response, isConnected = false }: Exchange,
  kind: FailureKind,
  detail: string,
  isRetryable = false,
): RequestFailure {
  const status = response?.statusCode;
  return requestFailure(kind, context, detail, { status, isRetryable, wasSent: isConnected });
}

function timeoutFailure(exchange: Exchange): RequestFailure {
  const { context, isConnected, proxy } = exchange;
  const seconds = exchange.limitMs / 1_000;
  const shown = `${seconds < 1 ? seconds.toPrecision(1) : Math.round(seconds)} s`;
  if (isConnected || proxy === undefined) return failureIn(exchange, "timeout", shown, true);
  const details = { proxy: new URL(proxy).host, isRetryable: true, wasSent: false };
  return requestFailure("proxyTimeout", context, `no response within ${shown}`, details);
}

function proxyFailure({ code, proxy }: ProxyError, context: RequestContext): RequestFailure {
  const fail = (kind: FailureKind, isRetryable: boolean, status?: number) =>
    requestFailure(kind, context, code, { proxy, wasSent: false, isRetryable, status });
  if (/^\d+$/.test(code)) return fail("proxyStatus", isRetryableStatus(Number(code)), Number(code));
  return isTlsCode(code) ? fail("proxyTls", false) : fail("proxy", true);
}

/** Whether a code of Node or OpenSSL means that TLS failed. Node has no common mark for these. */
function isTlsCode(code: string): boolean {
  return /CERT|^ERR_TLS_|^ERR_SSL_|^EPROTO$|^UNABLE_TO_|^CRL_|_CRL$|^HOSTNAME_MISMATCH$|^INVALID_CA$|^INVALID_PURPOSE$|^PATH_LENGTH_EXCEEDED$/.test(
    code,
  );
}
