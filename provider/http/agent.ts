import * as http from "node:http";
import * as https from "node:https";
import * as tls from "node:tls";
import type * as ProxyAgent from "./proxyAgent.js";

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
  if (proxy === "") return new (secure ? https : http).Agent(options);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only if a proxy is used
  const { createProxyAgent } = require("./proxyAgent.js") as typeof ProxyAgent;
  return createProxyAgent(secure, proxy, options);
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
