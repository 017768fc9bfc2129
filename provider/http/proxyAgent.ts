import * as http from "node:http";
import * as https from "node:https";
import { isIP, isIPv6 } from "node:net";
import type { Duplex } from "node:stream";
import type { SecureContext } from "node:tls";
import { TransportError } from "../errors/internalErrors.js";

/** Options of a request through a proxy. Node does not pass its own option `signal` to the agent. */
export interface TunnelOptions extends http.RequestOptions {
  /** Ends the CONNECT if the request ends. */
  readonly tunnelSignal?: AbortSignal;
  /** Whether nobody waits for the request. The CONNECT then does not keep the process alive. */
  readonly isInBackground?: boolean;
}

type Callback = (error: Error | null, socket?: Duplex) => void;

/**
 * Creates an agent that opens every connection through a proxy, with CONNECT.
 *
 * @param secure whether the server at the end of the tunnel uses TLS.
 * @param proxy address of the proxy, with user name and password if it requires them.
 */
export function createProxyAgent(
  secure: boolean,
  proxy: string,
  options: https.AgentOptions,
): http.Agent {
  const proxyUrl = new URL(proxy);
  const agent = new (secure ? https : http).Agent(options);
  const connectThrough = agent.createConnection.bind(agent);
  agent.createConnection = (request: TunnelOptions, callback: Callback) => {
    openTunnel(proxyUrl, request, options.secureContext, (error, socket) => {
      if (error !== null || socket === undefined) callback(error);
      else if (!secure) callback(null, socket);
      // Given a socket, the agent's own createConnection starts TLS on it.
      else callback(null, connectThrough({ ...request, socket } as TunnelOptions) as Duplex);
    });
    return undefined;
  };
  return agent;
}

function openTunnel(
  proxy: URL,
  { host, port, tunnelSignal, isInBackground }: TunnelOptions,
  secureContext: SecureContext | undefined,
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
