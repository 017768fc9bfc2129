import type { RequestOptions } from "node:http";
import { urlToHttpOptions } from "node:url";
import { type AgentOptions, createAgent } from "./agent.js";
import {
  acceptEncoding,
  decompressed,
  sendRequest,
  type HttpRequest,
  type HttpResponse,
} from "./httpRequest.js";

export interface TransportOptions extends AgentOptions {
  /** Sent with every request. Headers of the request itself win. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends requests over keep-alive connections. Does not follow redirects. */
export interface Transport {
  /** Rejects with a TransportError or a TimeoutError, and with nothing else. */
  readonly send: (request: HttpRequest) => Promise<HttpResponse>;
}

/** What is needed to reach a server. */
type Route = Pick<RequestOptions, "protocol" | "hostname" | "port" | "agent">;

export function createTransport(options: TransportOptions): Transport {
  const routes = new Map<string, Route>();

  /** Routes are kept: agents keep the connections, and parsing each address takes time. */
  function routeTo(origin: string, proxy: string, keepAlive: boolean): Route {
    const key = `${origin} ${proxy} ${keepAlive}`;
    const existing = routes.get(key);
    if (existing !== undefined) return existing;
    const { protocol, hostname, port } = urlToHttpOptions(new URL(origin));
    const agent = createAgent(protocol === "https:", proxy, keepAlive, options);
    const route = { protocol, hostname, port, agent };
    routes.set(key, route);
    return route;
  }

  return {
    async send(request) {
      const { url, proxy = "", method, isOnNewConnection } = request;
      const slash = url.indexOf("/", "https://".length);
      const origin = slash === -1 ? url : url.slice(0, slash);
      const route = routeTo(origin, proxy, isOnNewConnection !== true);
      const path = url.slice(origin.length) || "/";
      const headers = {
        ...options.headers,
        ...request.headers,
        "accept-encoding": acceptEncoding,
        ...(request.body !== undefined && { "content-length": Buffer.byteLength(request.body) }),
      };
      const response = await sendRequest(request, { ...route, path, method, headers });
      return decompressed(response, request.maxBytes);
    },
  };
}
