import * as http from "node:http";
import * as https from "node:https";
import * as tls from "node:tls";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type * as Hpagent from "hpagent";

export interface TransportOptions {
  /** Deadline of one request, in ms, from connecting to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Connections per origin at most. A request that has to wait for one uses up its deadline. */
  readonly maxConnections: number;
  /** Certificate authorities to trust besides the usual ones, each as PEM text. */
  readonly caCertificates: readonly string[];
  /** Sent with every request; a request's own headers win. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface OutgoingRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** Address of the proxy to go through. */
  readonly proxy?: string | undefined;
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
  /** Size of the answer at most, in bytes, on the wire and unpacked. */
  readonly maxBytes: number;
  /** A shorter deadline than the usual one, in ms. */
  readonly timeoutMs?: number | undefined;
}

export interface IncomingAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export type TransportFaultKind = "timeout" | "network" | "proxy" | "tls" | "tooLarge" | "malformed";

/**
 * Why a request got no usable answer. `code` is Node's name for it, such as `ECONNREFUSED`, or the
 * status with which a proxy refused.
 */
export class TransportFault extends Error {
  constructor(
    readonly kind: TransportFaultKind,
    readonly code: string,
  ) {
    super(`${kind}: ${code}`);
  }
}

/** Sends requests over keep-alive connections. Redirects are answers like any other. */
export interface Transport {
  readonly send: (request: OutgoingRequest) => Promise<IncomingAnswer>;
}

export function createTransport(options: TransportOptions): Transport {
  const agents = new Map<string, http.Agent>();

  function agentFor({ url, proxy = "" }: OutgoingRequest): http.Agent {
    const secure = isSecure(url);
    const key = `${secure} ${proxy}`;
    const agent = agents.get(key) ?? createAgent(secure, proxy, options);
    agents.set(key, agent);
    return agent;
  }

  return {
    async send(request) {
      const answer = await exchange(request, agentFor(request), options);
      return { ...answer, body: await unpack(answer, request.maxBytes) };
    },
  };
}

function isSecure(url: string): boolean {
  return url.startsWith("https:");
}

/** Closes connections that nobody uses, those of services that are forgotten among them. */
const idleMs = 30_000;

function createAgent(
  secure: boolean,
  proxy: string,
  { maxConnections, caCertificates }: TransportOptions,
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
  const { HttpProxyAgent, HttpsProxyAgent } = require("hpagent") as typeof Hpagent;
  return new (secure ? HttpsProxyAgent : HttpProxyAgent)({ ...options, proxy });
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

function exchange(
  request: OutgoingRequest,
  agent: http.Agent,
  options: TransportOptions,
): Promise<IncomingAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = (isSecure(request.url) ? https : http).request(request.url, {
      agent,
      method: request.method,
      headers: { ...options.headers, ...request.headers, "accept-encoding": "gzip" },
    });

    // The timeouts of axios and of sockets start anew with each byte; this one is a deadline.
    const deadline = setTimeout(
      () => {
        fail(new TransportFault("timeout", "ETIMEDOUT"));
      },
      Math.min(options.timeoutMs, request.timeoutMs ?? Infinity),
    );

    function fail(error: Error): void {
      clearTimeout(deadline);
      reject(error instanceof TransportFault ? error : faultOf(error));
      outgoing.destroy();
    }

    outgoing.on("error", fail);
    outgoing.on("response", (incoming) => {
      const chunks: Buffer[] = [];
      let received = 0;
      incoming.on("error", fail);
      incoming.on("data", (chunk: Buffer) => {
        received += chunk.length;
        if (received > request.maxBytes) fail(new TransportFault("tooLarge", "EMSGSIZE"));
        else chunks.push(chunk);
      });
      incoming.on("end", () => {
        clearTimeout(deadline);
        resolve({
          status: incoming.statusCode as number, // set on every answer of a server
          headers: incoming.headers,
          body: Buffer.concat(chunks),
        });
      });
    });
    outgoing.end(request.body);
  });
}

const gunzipBuffer = promisify(gunzip);

async function unpack(answer: IncomingAnswer, maxBytes: number): Promise<Buffer> {
  const encoding = answer.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || answer.body.length === 0) return answer.body;
  if (encoding !== "gzip" && encoding !== "x-gzip") {
    throw new TransportFault("malformed", "UNKNOWN_CONTENT_ENCODING");
  }
  try {
    return await gunzipBuffer(answer.body, { maxOutputLength: maxBytes });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    throw code === "ERR_BUFFER_TOO_LARGE"
      ? new TransportFault("tooLarge", code)
      : new TransportFault("malformed", code);
  }
}

/** True for faults of the way, not of the answer: the next try may do better. */
export function isTransientFault(error: unknown): boolean {
  return error instanceof TransportFault && (error.kind === "timeout" || error.kind === "network");
}

/** True where no connection came about: the server knows nothing of the request. */
export function isConnectionRefusal(error: unknown): boolean {
  return (
    error instanceof TransportFault &&
    ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"].includes(error.code)
  );
}

function faultOf(error: NodeJS.ErrnoException): TransportFault {
  const refusal = /^Bad response: (\d+)$/.exec(error.message)?.[1];
  if (refusal !== undefined) return new TransportFault("proxy", refusal);
  const code = error.code ?? "UNKNOWN";
  if (isTlsCode(code)) return new TransportFault("tls", code);
  if (code.startsWith("HPE_")) return new TransportFault("malformed", code);
  return new TransportFault("network", code);
}

/** Node has no common mark for certificate errors: OpenSSL's names and its own, by their forms. */
function isTlsCode(code: string): boolean {
  return /CERT|^ERR_TLS_|^ERR_SSL_|^EPROTO$|^UNABLE_TO_|^CRL_|_CRL$|^HOSTNAME_MISMATCH$|^INVALID_CA$|^INVALID_PURPOSE$|^PATH_LENGTH_EXCEEDED$/.test(
    code,
  );
}
