import * as http from "node:http";
import * as https from "node:https";
import * as tls from "node:tls";
import type * as ProxyAgent from "./proxyAgent.js";

export interface AgentOptions {
  /** Connections per origin at most. A request that has to wait for one uses up its deadline. */
  readonly maxConnections: number;
  /** Certificate authorities to trust besides the usual ones, each as PEM text. */
  readonly caCertificates: readonly string[];
}

/** Closes connections that nobody uses, those of services that are forgotten among them. */
const idleMs = 30_000;

/**
 * @param proxy address of the proxy to go through; empty for none.
 * @param keepAlive whether connections are used again.
 */
export function createAgent(
  secure: boolean,
  proxy: string,
  keepAlive: boolean,
  { maxConnections, caCertificates }: AgentOptions,
): http.Agent {
  // Idle keep-alive sockets are unreferenced by Node: they keep no program alive.
  const options: https.AgentOptions = {
    keepAlive,
    maxSockets: maxConnections,
    timeout: idleMs,
    ...(caCertificates.length === 0 ? {} : { secureContext: trusting(caCertificates) }),
  };
  if (proxy === "") return new (secure ? https : http).Agent(options);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only where there is one
  const { createProxyAgent } = require("./proxyAgent.js") as typeof ProxyAgent;
  return createProxyAgent(secure, proxy, options);
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
