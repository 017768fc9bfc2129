import { Axios, type AxiosRequestConfig } from "axios";
import * as http from "node:http";
import * as https from "node:https";
import { debuglog } from "node:util";
import { displayText } from "../errors/displayText.js";
import type { RequestContext } from "../errors/requestFailure.js";
import type { Settings } from "../settings/resolveSettings.js";
import { createAgent, type TunnelOptions } from "./agent.js";
import { clock, startDeadline } from "./clock.js";
import { type Exchange, networkFailure } from "./networkFailure.js";
import { type HttpResponse, isRetryableStatus } from "./httpResponse.js";
import { userAgent } from "./packageInfo.js";

export interface HttpRequest {
  readonly context: RequestContext;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a POST, URL-encoded. */
  readonly form?: string;
  /** The time from connecting to the last byte of the response. */
  readonly limitMs: number;
}

/** Sends a request. Rejects with a RequestFailure if there is no complete response. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

export interface Route {
  /** An address of the server. */
  readonly url: string;
  readonly proxy?: string | undefined;
  readonly keepAlive: boolean;
}

/**
 * Returns the function that sends requests to one server. A program can change `axios.defaults`, for instance to send a
 * token to its other services. So the instance is not from `axios.create`, and it names its adapter.
 */
export function createSend(settings: Settings, { url, proxy, keepAlive }: Route): Send {
  const isSecure = url.startsWith("https:");
  const agent = createAgent(settings, isSecure, proxy, keepAlive);
  const axios = new Axios({
    adapter: "http",
    proxy: false,
    ...(isSecure ? { httpsAgent: agent } : { httpAgent: agent }),
    // A response from a cache could lack a project that exists.
    headers: { "user-agent": userAgent, "cache-control": "no-cache", ...settings.headers },
    maxRedirects: 0,
    // A page with 20,000 projects in HAL can have 12 MB.
    maxContentLength: 64 * 1024 * 1024,
    responseType: "arraybuffer",
    validateStatus: null,
  });

  return async (request) => {
    const { context, headers, form, limitMs } = request;
    const exchange: Exchange = { context, limitMs, proxy };
    const startMs = clock.now();
    // axios and sockets have timeouts too, which start again with each byte.
    const stopDeadline = startDeadline(limitMs, () => {
      exchange.isExpired = true;
      // In Node 20.20, a request that has no socket yet emits nothing when it is destroyed.
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
      throw networkFailure(error, exchange);
    } finally {
      // A firewall or proxy on the way may have dropped all idle connections.
      if (exchange.response === undefined) closeIdle(agent);
      stopDeadline();
      if (debug.enabled) printLine(request, exchange, clock.now() - startMs);
    }
  };
}

/** `NODE_DEBUG=pulumi-project-service` prints a line for each request, without header, body, query and secret. */
const debug = debuglog("pulumi-project-service");

function printLine(request: HttpRequest, { response }: Exchange, ms: number): void {
  const { context, form } = request;
  const { origin, pathname } = new URL(context.url);
  const path = context.isSecret ? `${pathname.slice(0, pathname.lastIndexOf("/"))}/…` : pathname;
  const method = form === undefined ? "GET" : "POST";
  const status = response?.statusCode ?? "no response";
  debug(`${method} ${origin}${displayText(path, 300)}: ${status}, ${Math.round(ms)} ms`);
}

/** Makes the request for axios, with what axios has no option for. */
function requestFunction(isSecure: boolean, exchange: Exchange) {
  return (options: TunnelOptions, onResponse: (response: http.IncomingMessage) => void) => {
    options.tunnelLimitMs = exchange.limitMs;
    const request = (isSecure ? https : http).request(options, (response) => {
      exchange.response = response;
      if (needsOtherServer(response.statusCode ?? 0)) request.shouldKeepAlive = false;
      onResponse(response);
    });
    exchange.sent = request;
    request.on("socket", (socket) => {
      if (socket.connecting) socket.once("connect", () => (exchange.isConnected = true));
      else exchange.isConnected = true;
    });
    request.on("error", (error) => (exchange.error ??= error));
    return request;
  };
}

/** Whether another server should get the next attempt. A balancer sends all requests on one connection to one server. */
function needsOtherServer(status: number): boolean {
  return status === 401 || (isRetryableStatus(status) && status !== 429);
}

function closeIdle({ freeSockets }: http.Agent): void {
  for (const sockets of Object.values(freeSockets)) sockets?.forEach((socket) => socket.destroy());
}
