import { Axios, AxiosError, type AxiosRequestConfig } from "axios";
import * as http from "node:http";
import * as https from "node:https";
import { debuglog } from "node:util";
import { displayText } from "../errors/displayText.js";
import type { FailureKind } from "../errors/failureTexts.js";
import {
  failureOf,
  type RequestContext,
  type RequestFailure,
  shownAddress,
} from "../errors/requestFailure.js";
import type { Settings } from "../settings/resolveSettings.js";
import { createAgent, ProxyError, type TunnelOptions } from "./agent.js";
import { startDeadline } from "./deadline.js";
import { packageInfo } from "./packageInfo.js";
import { isRetryableStatus } from "./retry.js";

/** A response with any status. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. A header that was sent twice has both values, with a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

export interface HttpRequest {
  readonly context: RequestContext;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a POST, URL-encoded. Without it, the request is a GET. */
  readonly form?: string;
  /** The time from connecting to the last byte of the response. */
  readonly limitMs: number;
  readonly attempt?: number;
  /** How long it has waited to start. */
  readonly waitedMs?: number;
}

/** Sends a request. Rejects with a {@link RequestFailure} if there is no complete response. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

interface Exchange {
  readonly request: HttpRequest;
  sent?: http.ClientRequest;
  isConnected?: boolean;
  /** A response that has begun. */
  response?: http.IncomingMessage;
  isExpired?: boolean;
  error?: NodeJS.ErrnoException;
}

export interface Route {
  /** The server, as an address of any path. */
  readonly url: string;
  readonly proxy?: string | undefined;
  /** Whether connections are reused. */
  readonly keepAlive: boolean;
  /** The maximal size of a response in bytes. */
  readonly maxBytes: number;
}

/**
 * Returns the function that sends requests to one server, through axios.
 *
 * A program can change `axios.defaults`, for instance to send a token to its other services. Nothing of that
 * must reach this service: so the instance is not from `axios.create`, and it names its adapter.
 */
export function createSend(settings: Settings, { url, proxy, keepAlive, maxBytes }: Route): Send {
  const { name, version } = packageInfo;
  const isSecure = url.startsWith("https:");
  const agent = createAgent(settings, isSecure, proxy, keepAlive);
  const axios = new Axios({
    adapter: "http",
    proxy: false,
    ...(isSecure ? { httpsAgent: agent } : { httpAgent: agent }),
    headers: { "user-agent": `${name}/${version}`, ...settings.headers },
    maxRedirects: 0,
    maxContentLength: maxBytes,
    responseType: "arraybuffer",
    validateStatus: null,
  });

  return async (request) => {
    const { context, headers, form, limitMs } = request;
    const exchange: Exchange = { request };
    const startMs = performance.now();
    // axios and sockets have timeouts too, which start again with each byte.
    const stopDeadline = startDeadline(limitMs, () => {
      exchange.isExpired = true;
      // A request that has no socket yet emits nothing when it is destroyed.
      exchange.sent?.emit("error", new Error());
      exchange.sent?.destroy();
    });
    try {
      const response = await axios.request<Buffer>({
        method: form === undefined ? "get" : "post",
        url: context.url,
        headers,
        data: form,
        transport: { request: requestFunction(isSecure, exchange) },
      } as AxiosRequestConfig);
      const { status, data: body, headers: received } = response;
      return { status, headers: received as HttpResponse["headers"], body };
    } catch (error) {
      if (exchange.isExpired) throw failureOfExpiry(exchange);
      const { statusCode: status = 200, headers = {} } = exchange.response ?? {};
      if (status !== 200 && isDecompression(error)) {
        return { status, headers: headers as HttpResponse["headers"], body: undecodable };
      }
      throw failureOfExchange(error, exchange, maxBytes);
    } finally {
      stopDeadline();
      if (debug.enabled) printLine(exchange, performance.now() - startMs);
    }
  };
}

/** Stands for a body that cannot be decompressed: it is neither empty nor JSON. */
const undecodable = Buffer.from([0xff]);

/** `NODE_DEBUG=pulumi-project-service` prints a line for each request, without header, body, query and secret. */
const debug = debuglog("pulumi-project-service");

function printLine({ request, response }: Exchange, ms: number): void {
  const { context, form, attempt, waitedMs = 0 } = request;
  const { origin, path } = shownAddress(context);
  const method = form === undefined ? "GET" : "POST";
  const status = response?.statusCode ?? "no response";
  // A sign-in has no place in the gate.
  const wait = attempt ? `, attempt ${attempt}, waited ${Math.round(waitedMs)} ms` : "";
  debug(`${method} ${origin}${displayText(path, 300)}: ${status}, ${Math.round(ms)} ms${wait}`);
}

/** Returns the function with which axios makes the request. It adds what axios has no option for. */
function requestFunction(isSecure: boolean, exchange: Exchange) {
  return (options: TunnelOptions, onResponse: (response: http.IncomingMessage) => void) => {
    options.tunnelLimitMs = exchange.request.limitMs;
    const request = (isSecure ? https : http).request(options, (response) => {
      exchange.response = response;
      onResponse(response);
    });
    exchange.sent = request;
    request.on("socket", (socket) => {
      if (socket.connecting) socket.once("connect", () => (exchange.isConnected = true));
      else exchange.isConnected = true;
    });
    request.on("error", (error) => (exchange.error ??= error));
    // Without this listener, Node would close the connection and emit nothing but "close".
    request.on("upgrade", (_response, socket) => {
      socket.destroy();
      request.emit("error", Object.assign(new Error(), { code: "UNEXPECTED_UPGRADE" }));
    });
    return request;
  };
}

function failureIn(
  { request: { context }, response, isConnected = false }: Exchange,
  kind: FailureKind,
  detail: string,
  isRetryable = false,
): RequestFailure {
  const status = response?.statusCode;
  return failureOf(kind, context, detail, { status, isRetryable, wasSent: isConnected });
}

function isDecompression(error: unknown): boolean {
  return error instanceof AxiosError && /^Z_|^ERR__/.test(error.code ?? "");
}

function failureOfExpiry(exchange: Exchange): RequestFailure {
  const seconds = exchange.request.limitMs / 1_000;
  const shown = seconds < 1 ? seconds.toPrecision(1) : Math.round(seconds);
  return failureIn(exchange, "timeout", String(shown), true);
}

function failureOfExchange(error: unknown, exchange: Exchange, maxBytes: number): unknown {
  const { request, response, error: own } = exchange;
  if (!(error instanceof AxiosError)) return error;
  if (own instanceof ProxyError) return failureOfProxy(own, request.context);
  const code = own?.code ?? error.code ?? "UNKNOWN";
  if (isTlsCode(code)) return failureIn(exchange, code === "EPROTO" ? "tlsProtocol" : "tls", code);
  // Of its decompression, or of Node's parser of HTTP.
  if (isDecompression(error) || /^HPE_|^UNEXPECTED_UPGRADE$/.test(code)) {
    return failureIn(exchange, "malformed", code);
  }
  const kind = response === undefined ? "network" : "cutOff";
  // axios gives this code to a response that is too large, and to one that was cut off.
  if (code !== AxiosError.ERR_BAD_RESPONSE) return failureIn(exchange, kind, code, true);
  return error.response === undefined
    ? failureIn(exchange, "tooLarge", `${maxBytes / 2 ** 20} MiB`)
    : failureIn(exchange, kind, "ECONNRESET", true);
}

function failureOfProxy({ code, proxy }: ProxyError, context: RequestContext): RequestFailure {
  const details = { proxy, wasSent: false };
  if (/^\d+$/.test(code)) {
    const status = Number(code);
    const isRetryable = isRetryableStatus(status);
    return failureOf("proxyStatus", context, code, { ...details, status, isRetryable });
  }
  return isTlsCode(code)
    ? failureOf("proxyTls", context, code, details)
    : failureOf("proxy", context, code, { ...details, isRetryable: true });
}

/** Whether a code of Node or OpenSSL means that TLS failed. Node has no common mark for these. */
function isTlsCode(code: string): boolean {
  return /CERT|^ERR_TLS_|^ERR_SSL_|^EPROTO$|^UNABLE_TO_|^CRL_|_CRL$|^HOSTNAME_MISMATCH$|^INVALID_CA$|^INVALID_PURPOSE$|^PATH_LENGTH_EXCEEDED$/.test(
    code,
  );
}
