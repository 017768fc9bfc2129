import * as http from "node:http";
import * as https from "node:https";
import { urlToHttpOptions } from "node:url";
import { gunzipSync } from "node:zlib";
import { type AgentOptions, createAgent } from "./agent.js";
import { Deadlines } from "./deadlines.js";
import type { TunnelOptions } from "./proxyAgent.js";
import { ReceivedBytes } from "./receivedBytes.js";
import type { TimeLimit } from "./timeLimits.js";
import { faultOf, TimeoutFault, TransportFault } from "./transportFaults.js";

export interface TransportOptions extends AgentOptions {
  /** Sent with every request; a request's own headers win. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface OutgoingRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** Address of the proxy to go through. */
  readonly proxy?: string | undefined;
  /** Names in lower case. Of an object that comes again, what is sent is put together once. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Size of the answer at most, in bytes, on the wire and unpacked. */
  readonly maxBytes: number;
  /** Ends the request, from connecting to the last byte of the response. */
  readonly limit: TimeLimit;
  /**
   * Whether to open a connection for this request alone. On an idle one, a server that has just
   * closed it makes the request fail, and not every request can be repeated.
   */
  readonly isOnNewConnection?: boolean | undefined;
  /** Whether nobody waits for it, so that it need not keep the process alive. */
  readonly isInBackground?: boolean | undefined;
}

export interface IncomingAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends requests over keep-alive connections. Redirects are answers like any other. */
export interface Transport {
  readonly send: (request: OutgoingRequest) => Promise<IncomingAnswer>;
}

export function createTransport(options: TransportOptions): Transport {
  const routes = new Map<string, Route>();
  const deadlines = new Deadlines();

  /** How to get to a server: found out once, for it takes longer than it seems. */
  function routeTo(origin: string, proxy: string, keepAlive: boolean): Route {
    const key = `${origin} ${proxy} ${keepAlive}`;
    const known = routes.get(key);
    if (known !== undefined) return known;
    const url = new URL(origin);
    const { protocol, hostname, port } = urlToHttpOptions(url);
    const agent = createAgent(protocol === "https:", proxy, keepAlive, options);
    const route = { protocol, hostname, port, agent, host: url.host, rawHeaders: new WeakMap() };
    routes.set(key, route);
    return route;
  }

  /**
   * Names and values in turn, which Node checks and writes as they are: of an object it would make a
   * table first, with which a read takes a twentieth more of CPU.
   */
  function rawHeadersOf({ headers, body }: OutgoingRequest, route: Route): readonly string[] {
    let raw = route.rawHeaders.get(headers);
    if (raw === undefined) {
      const all = { host: route.host, ...options.headers, ...headers, "accept-encoding": "gzip" };
      raw = Object.entries(all).flat();
      route.rawHeaders.set(headers, raw);
    }
    if (body === undefined) return raw;
    return [...raw, "content-length", String(Buffer.byteLength(body))];
  }

  return {
    async send(request) {
      const { url, proxy = "", method, isOnNewConnection } = request;
      const slash = url.indexOf("/", "https://".length);
      const origin = slash === -1 ? url : url.slice(0, slash);
      const route = routeTo(origin, proxy, isOnNewConnection !== true);
      const { protocol, hostname, port, agent } = route;
      const path = url.slice(origin.length) || "/";
      const headers = rawHeadersOf(request, route);
      const answer = await exchange(
        request,
        { protocol, hostname, port, agent, path, method, headers },
        deadlines,
      );
      return isPacked(answer) ? { ...answer, body: unpack(answer, request.maxBytes) } : answer;
    },
  };
}

interface Route extends Pick<http.RequestOptions, "protocol" | "hostname" | "port" | "agent"> {
  /** As the header has it: with the port where it is not the usual one. */
  readonly host: string;
  readonly rawHeaders: WeakMap<OutgoingRequest["headers"], readonly string[]>;
}

/** Settles in any case: with the response, a fault, or the end of the limit. */
function exchange(
  { body, maxBytes, limit, proxy, isInBackground = false }: OutgoingRequest,
  options: http.RequestOptions,
  deadlines: Deadlines,
): Promise<IncomingAnswer> {
  return new Promise((resolve, reject) => {
    // While a proxy is still to open the tunnel, the request has no socket: destroying the request
    // would leave the CONNECT behind.
    const tunnel = proxy === undefined ? undefined : new AbortController();
    const outgoing = (options.protocol === "https:" ? https : http).request(
      tunnel === undefined
        ? options
        : ({ ...options, tunnelSignal: tunnel.signal } as TunnelOptions),
    );
    if (isInBackground) outgoing.on("socket", (socket) => socket.unref());

    let hasResponse = false;
    let isSettled = false;

    // The timeouts of axios and of sockets start anew with each byte; this one is a deadline.
    const stopDeadline = deadlines.start(
      limit.endMs,
      () => fail(new TimeoutFault(limit)),
      !isInBackground,
    );

    function fail(error: TransportFault | TimeoutFault): void {
      if (isSettled) return;
      isSettled = true;
      stopDeadline();
      reject(error);
      outgoing.destroy();
      tunnel?.abort();
    }

    outgoing.on("error", (error) => fail(faultOf(error)));
    // With a listener Node hands the socket over, without one it closes the connection in silence.
    outgoing.on("upgrade", (_incoming, socket) => {
      socket.destroy();
      fail(new TransportFault("malformed", "UNEXPECTED_UPGRADE"));
    });
    outgoing.on("response", (incoming) => {
      hasResponse = true;
      const received = new ReceivedBytes();
      incoming.on("error", (error) => fail(faultOf(error)));
      incoming.on("data", (chunk: Buffer) => {
        received.add(chunk);
        if (received.length > maxBytes) fail(new TransportFault("tooLarge", "EMSGSIZE"));
      });
      incoming.on("end", () => {
        if (isSettled) return;
        isSettled = true;
        stopDeadline();
        resolve({
          status: incoming.statusCode as number, // set on every answer of a server
          headers: incoming.headers,
          body: received.bytes(),
        });
      });
    });
    // Whatever else may end a connection without an event of its own. With a response, the end of
    // the response may still be to come.
    outgoing.on("close", () => {
      if (!hasResponse) fail(new TransportFault("network", "CLOSED"));
    });
    outgoing.end(body);
  });
}

function isPacked({ headers, body }: IncomingAnswer): boolean {
  return encodingOf(headers) !== "identity" && body.length > 0;
}

function encodingOf(headers: http.IncomingHttpHeaders): string {
  return headers["content-encoding"]?.trim().toLowerCase() || "identity";
}

/** At once: the thread pool may be busy with other work of the program, for longer than any deadline. */
function unpack(answer: IncomingAnswer, maxBytes: number): Buffer {
  const encoding = encodingOf(answer.headers);
  if (encoding !== "gzip" && encoding !== "x-gzip") {
    throw new TransportFault("malformed", "UNKNOWN_CONTENT_ENCODING");
  }
  try {
    return gunzipSync(answer.body, { maxOutputLength: maxBytes });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    throw code === "ERR_BUFFER_TOO_LARGE"
      ? new TransportFault("tooLarge", code)
      : new TransportFault("malformed", code);
  }
}
