import type { TimeLimit } from "./timeLimits.js";

export type TransportFaultKind = "network" | "proxy" | "tls" | "tooLarge" | "malformed";

/**
 * Why a request got no usable response. `code` is Node's name for it, such as `ECONNREFUSED`, or the
 * status with which a proxy refused.
 */
export class TransportFault extends Error {
  constructor(
    readonly kind: TransportFaultKind,
    readonly code: string,
    /** Host and port of the proxy, where it is the proxy's fault. */
    readonly proxyHost?: string,
  ) {
    super(`${kind}: ${code}`);
  }
}

/** A request that its limit of time has ended. */
export class TimeoutFault extends Error {
  constructor(readonly limit: TimeLimit) {
    super(`no complete response within ${limit.durationMs} ms`);
  }
}

/** True for faults of the way, not of the response: the next try may do better. */
export function isTransientFault(error: unknown): boolean {
  if (error instanceof TimeoutFault) return true;
  if (!(error instanceof TransportFault)) return false;
  const { kind, code } = error;
  // A proxy that refuses says so with a status.
  return kind === "network" || (kind === "proxy" && !/^\d+$/.test(code) && !isTlsCode(code));
}

/** True where no connection came about: the server knows nothing of the request. */
export function isConnectionRefusal(error: unknown): boolean {
  return (
    error instanceof TransportFault &&
    ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"].includes(error.code)
  );
}

/** The fault in an error of Node. */
export function faultOf(error: NodeJS.ErrnoException): TransportFault {
  if (error instanceof TransportFault) return error;
  const code = error.code ?? "UNKNOWN";
  if (isTlsCode(code)) return new TransportFault("tls", code);
  if (code.startsWith("HPE_")) return new TransportFault("malformed", code);
  return new TransportFault("network", code);
}

/** Node has no common mark for certificate errors: OpenSSL's names and its own, by their forms. */
export function isTlsCode(code: string): boolean {
  return /CERT|^ERR_TLS_|^ERR_SSL_|^EPROTO$|^UNABLE_TO_|^CRL_|_CRL$|^HOSTNAME_MISMATCH$|^INVALID_CA$|^INVALID_PURPOSE$|^PATH_LENGTH_EXCEEDED$/.test(
    code,
  );
}
