import * as http from "node:http";
import * as https from "node:https";
import { isIP, isIPv6 } from "node:net";
import type { Duplex } from "node:stream";
import { createSecureContext, type SecureContext } from "node:tls";
import { trustedCertificates } from "../settings/certificates.js";
import type { Settings } from "../settings/resolveSettings.js";
import { startDeadline } from "./clock.js";
import { userAgent } from "./packageInfo.js";

/**
 * After this time, idle connections are closed. They do not keep the process alive:
 * https://nodejs.org/api/http.html#class-httpagent
 */
const idleMs = 30_000;

/** A connection that a proxy did not open. `code` is Node's code, or the status with which the proxy refused. */
export class ProxyError extends Error {
  constructor(
    readonly code: string,
    /** Host and port of the proxy. */
    readonly proxy: string,
  ) {
    super(code);
  }
}

/** The options of a request that may need a CONNECT first. */
export interface TunnelOptions extends http.RequestOptions {
  /** How long the CONNECT may take. */
  tunnelLimitMs: number;
}

export function createAgent(
  { maxConcurrency, caCertificates }: Settings,
  isSecure: boolean,
  proxy: string | undefined,
  keepAlive: boolean,
): http.Agent {
  const secureContext = secureContextOf(caCertificates);
  const agent = new (isSecure ? https : http).Agent({
    keepAlive,
    // The value that axios 1.21 sets for each request. With another one, Node would set its own after each request.
    keepAliveMsecs: 60_000,
    maxSockets: maxConcurrency,
    timeout: idleMs,
    // Node gives up an address after 250 ms if the host has another one:
    // https://nodejs.org/api/net.html#socketconnectoptions-connectlistener
    autoSelectFamilyAttemptTimeout: 2_500,
    secureContext,
  });
  if (proxy === undefined) return agent;
  const connectThrough = agent.createConnection.bind(agent);
  agent.createConnection = (
    request: TunnelOptions,
    callback: (error: Error | null, socket?: Duplex) => void,
  ) => {
    openTunnel(new URL(proxy), request, secureContext).then((socket) => {
      // Given a socket, the agent's own createConnection starts TLS on it.
      const secure = () => connectThrough({ ...request, socket } as http.RequestOptions) as Duplex;
      callback(null, isSecure ? secure() : socket);
    }, callback);
    return undefined;
  };
  return agent;
}

const secureContexts = new WeakMap<readonly string[], SecureContext>();

/** Returns the context for own certificates, which Node takes tens of milliseconds to make. */
function secureContextOf(certificates: readonly string[]): SecureContext | undefined {
  const ca = secureContexts.has(certificates) ? undefined : trustedCertificates(certificates);
  if (ca !== undefined) {
    // An own certificate may be that of an intermediate authority, without its root.
    const context = createSecureContext({ ca, allowPartialTrustChain: true });
    secureContexts.set(certificates, context);
  }
  return secureContexts.get(certificates);
}

function openTunnel(
  proxy: URL,
  { host, port, tunnelLimitMs }: TunnelOptions,
  secureContext: SecureContext | undefined,
): Promise<Duplex> {
  const authority = `${isIPv6(host ?? "") ? `[${host}]` : host}:${port}`;
  const proxyHost = proxy.hostname.replace(/^\[(.*)\]$/, "$1");
  const { request, Agent } = proxy.protocol === "https:" ? https : http;
  const connect = request({
    method: "CONNECT",
    host: proxyHost,
    port: proxy.port,
    path: authority,
    headers: { host: authority, "user-agent": userAgent, ...authorizationOf(proxy) },
    // With TLS, an IP address must not be a server name.
    servername: isIP(proxyHost) === 0 ? proxyHost : "",
    agent: new Agent({ secureContext }),
  });
  // The CONNECT goes on after its request has ended: Node may give the connection to a request that waits.
  const stopDeadline = startDeadline(tunnelLimitMs, () => connect.destroy());
  return new Promise((resolve, reject) => {
    const fail = (code: string): void => reject(new ProxyError(code, proxy.host));
    connect.on("connect", ({ statusCode }, socket, head) => {
      stopDeadline();
      if (Math.floor((statusCode ?? 0) / 100) !== 2) {
        socket.destroy();
        return fail(String(statusCode));
      }
      socket.removeAllListeners();
      socket.on("error", () => {}); // the request adds its own listener a moment later
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    connect.on("error", ({ code = "UNKNOWN" }: NodeJS.ErrnoException) => fail(code));
    connect.on("close", () => {
      stopDeadline();
      fail("CLOSED");
    });
    connect.end();
  });
}

function authorizationOf({ username, password }: URL): http.OutgoingHttpHeaders {
  if (username === "" && password === "") return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` };
}
