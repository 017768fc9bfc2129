import * as http from "node:http";
import * as https from "node:https";
import * as tls from "node:tls";
import type * as Hpagent from "hpagent";

export interface AgentOptions {
  /** Connections per origin at most. A request that has to wait for one uses up its deadline. */
  readonly maxConnections: number;
  /** Certificate authorities to trust besides the usual ones, each as PEM text. */
  readonly caCertificates: readonly string[];
}

/** Closes connections that nobody uses, those of services that are forgotten among them. */
const idleMs = 30_000;

export function createAgent(
  secure: boolean,
  proxy: string,
  { maxConnections, caCertificates }: AgentOptions,
): http.Agent {
  // Idle keep-alive sockets are unreferenced by Node: they keep no program alive.
  const options: https.AgentOptions = {
    keepAlive: true,
    maxSockets: maxConnections,
    timeout: idleMs,
    ...(caCertificates.length === 0 ? {} : { secureContext: trusting(caCertificates) }),
  };
  if (proxy === "") return new (secure ? https : http).Agent(options);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only where there is one
  const hpagent = require("hpagent") as typeof Hpagent;
  const ProxyAgent = secure ? hpagent.HttpsProxyAgent : hpagent.HttpProxyAgent;
  return endingWithRequest(new ProxyAgent({ ...options, proxy }));
}

/** What hpagent's types leave out. */
interface ProxyAgent extends http.Agent {
  proxyRequestOptions: http.RequestOptions;
}

/** An option of ours. Node keeps the option `signal` from the agent. */
interface TunnelOptions extends http.RequestOptions {
  readonly tunnelSignal?: AbortSignal;
}

/** Options of a request through a proxy, with a signal that ends the CONNECT that it may wait for. */
export function withTunnelSignal(
  options: http.RequestOptions,
  tunnelSignal: AbortSignal,
): TunnelOptions {
  return { ...options, tunnelSignal };
}

/**
 * Ends a CONNECT together with the request that needs it. By itself hpagent waits up to 30 s for
 * each byte of the proxy, and keeps the process alive meanwhile.
 */
function endingWithRequest(agent: http.Agent): http.Agent {
  const proxyAgent = agent as ProxyAgent;
  const createConnection = proxyAgent.createConnection.bind(proxyAgent);
  proxyAgent.createConnection = (options: TunnelOptions, callback) => {
    // hpagent copies these options into the CONNECT request before it returns.
    proxyAgent.proxyRequestOptions = { signal: options.tunnelSignal };
    return createConnection({ ...options, timeout: 0 }, callback);
  };
  return agent;
}

/**
 * Trusts certificate authorities besides the usual ones. The option `ca` would replace those, the
 * ones of NODE_EXTRA_CA_CERTS too, and Node 20 does not tell which they are.
 */
function trusting(certificates: readonly string[]): tls.SecureContext {
  const secureContext = tls.createSecureContext();
  const store = secureContext.context as unknown as { addCACert(pem: string): void };
  for (const certificate of certificates) store.addCACert(certificate);
  return secureContext;
}
