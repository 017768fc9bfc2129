import * as http from "node:http";
import * as https from "node:https";
import { isIP, isIPv6 } from "node:net";
import type { Duplex } from "node:stream";
import * as tls from "node:tls";
import { TransportError } from "../errors/internalErrors.js";

export interface AgentOptions {
  /** The maximal number of connections to one origin. */
  readonly maxConnections: number;
  /** Certificate authorities to trust in addition to the default ones, each as PEM text. */
  readonly caCertificates: readonly string[];
}

/** After this time, idle connections are closed. */
const idleMs = 30_000;

/**
 * Creates the agent for one server.
 *
 * @param proxy address of the proxy, or an empty string.
 * @param keepAlive whether connections are reused.
 */
export function createAgent(
  secure: boolean,
  proxy: string,
  keepAlive: boolean,
  { maxConnections, caCertificates }: AgentOptions,
): http.Agent {
  // Idle connections do not keep the process alive: Node calls unref on them.
  const options: https.AgentOptions = {
    keepAlive,
    maxSockets: maxConnections,
    timeout: idleMs,
    ...(caCertificates.length === 0 ? {} : { secureContext: trusting(caCertificates) }),
  };
  const agent = new (secure ? https : http).Agent(options);
  if (proxy !== "") tunnel(agent, secure, new URL(proxy), options.secureContext);
  return agent;
}

/**
 * Trusts certificate authorities in addition to the default ones. The option `ca` would replace the
 * default ones and those of NODE_EXTRA_CA_CERTS, and Node 20 has no function that lists them.
 */
function trusting(certificates: readonly string[]): tls.SecureContext {
  const secureContext = tls.createSecureContext();
  const store = secureContext.context as unknown as { addCACert(pem: string): void };
  for (const certificate of certificates) store.addCACert(certificate);
  return secureContext;
}

/** Options of a request through a proxy. Node does not pass its own option `signal` to the agent. */
export interface TunnelOptions extends http.RequestOptions {
  /** Ends the CONNECT if the request ends. */
  readonly tunnelSignal?: AbortSignal;
  /** Whether nobody waits for the request. The CONNECT then does not keep the process alive. */
  readonly isInBackground?: boolean;
}

type Callback = (error: Error | null, socket?: Duplex) => void;

/** Makes an agent open every connection through a proxy, with CONNECT. */
function tunnel(
  agent: http.Agent,
  secure: boolean,
  proxy: URL,
  secureContext: tls.SecureContext | undefined,
): void {
  const connectThrough = agent.createConnection.bind(agent);
  agent.createConnection = (request: TunnelOptions, callback: Callback) => {
    openTunnel(proxy, request, secureContext, (error, socket) => {
      if (error !== null || socket === undefined) callback(error);
      else if (!secure) callback(null, socket);
      // Given a socket, the agent's own createConnection starts TLS on it.
      else callback(null, connectThrough({ ...request, socket } as TunnelOptions) as Duplex);
    });
    return undefined;
  };
}

function openTunnel(
  proxy: URL,
  { host, port, tunnelSignal, isInBackground }: TunnelOptions,
  secureContext: tls.SecureContext | undefined,
  callback: Callback,
): void {
  const authority = `${isIPv6(host ?? "") ? `[${host}]` : host}:${port}`;
  const proxyHost = proxy.hostname.replace(/^\[(.*)\]$/, "$1");
  const connect = (proxy.protocol === "https:" ? https : http).request({
    method: "CONNECT",
    host: proxyHost,
    port: proxy.port,
    path: authority,
    headers: { host: authority, ...authorizationOf(proxy) },
    agent: false,
    signal: tunnelSignal,
    // An IP address must not be a server name.
    ...(proxy.protocol === "https:" ? { servername: isIP(proxyHost) === 0 ? proxyHost : "" } : {}),
    ...(secureContext === undefined ? {} : { secureContext }),
  });
  if (isInBackground === true) connect.on("socket", (socket) => socket.unref());
  let isEnded = false;
  const end: Callback = (error, socket) => {
    if (isEnded) return;
    isEnded = true;
    callback(error, socket);
  };
  const fail = (code: string): void => end(new TransportError("proxy", code, proxy.host));

  connect.on("connect", ({ statusCode = 0 }, socket, head) => {
    if (statusCode !== 200) {
      socket.destroy();
      return fail(String(statusCode));
    }
    socket.removeAllListeners();
    socket.on("error", () => {}); // the request adds its own listener a moment later
    if (head.length > 0) socket.unshift(head);
    end(null, socket);
  });
  connect.on("error", ({ code = "UNKNOWN" }: NodeJS.ErrnoException) => fail(code));
  connect.on("close", () => fail("CLOSED"));
  connect.end();
}

/** resolveSettings has checked that user name and password can be decoded. */
function authorizationOf({ username, password }: URL): http.OutgoingHttpHeaders {
  if (username === "" && password === "") return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` };
}
