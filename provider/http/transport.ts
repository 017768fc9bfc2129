import type { Agent } from "node:http";
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

export function createTransport(options: TransportOptions): Transport {
  const agents = new Map<string, Agent>();

  /** Agents are kept, because they keep the connections. */
  function agentFor(origin: string, proxy: string, keepAlive: boolean): Agent {
    const key = `${origin} ${proxy} ${keepAlive}`;
    const existing = agents.get(key);
    if (existing !== undefined) return existing;
    const agent = createAgent(origin.startsWith("https:"), proxy, keepAlive, options);
    agents.set(key, agent);
    return agent;
  }

  return {
    async send(request) {
      const { proxy = "", method, isOnNewConnection } = request;
      const url = new URL(request.url);
      const agent = agentFor(url.origin, proxy, isOnNewConnection !== true);
      const headers = {
        ...options.headers,
        ...request.headers,
        "accept-encoding": acceptEncoding,
        ...(request.body !== undefined && { "content-length": Buffer.byteLength(request.body) }),
      };
      const target = { ...urlToHttpOptions(url), agent, method, headers };
      const response = await sendRequest(request, target);
      return decompressed(response, request.maxBytes);
    },
  };
}
