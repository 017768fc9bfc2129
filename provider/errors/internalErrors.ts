/*
 * Errors that never leave the package: translateError makes a ProjectServiceError from each.
 */
import type { ProjectServiceError } from "./projectServiceError.js";

export type TransportErrorKind = "network" | "proxy" | "tls" | "tooLarge" | "malformed";

/** A request that got no complete HTTP response. */
export abstract class ExchangeError extends Error {
  /** The status of the response, if the response had begun. */
  status?: number;
}

/**
 * A request that got no usable HTTP response.
 *
 * `code` is Node's code, such as `ECONNREFUSED`, or the status with which a proxy refused.
 */
export class TransportError extends ExchangeError {
  constructor(
    readonly kind: TransportErrorKind,
    readonly code: string,
    /** Host and port of the proxy, for an error of kind `proxy`. */
    readonly proxyHost?: string,
  ) {
    super(`${kind}: ${code}`);
  }
}

/** The limits of time, in the order in which they contain each other. */
export type TimeLimitName = "attempt" | "request" | "list";

/** A request that reached a limit of time. */
export class TimeoutError extends ExchangeError {
  constructor(
    readonly limit: TimeLimitName,
    readonly durationMs: number,
  ) {
    super(`no complete response within ${durationMs} ms`);
  }
}

/** A failure that may be retried, with the error to throw if it is not. */
export class RetryableError extends Error {
  constructor(
    readonly error: ProjectServiceError,
    /** How long the server asks to wait. */
    readonly retryAfterMs?: number | undefined,
  ) {
    super(error.message);
  }
}

/** A sign-in that the identity provider has rejected. Further ones may lock the user. */
export class SignInRejectedError extends Error {
  constructor(readonly error: ProjectServiceError) {
    super(error.message);
  }
}

/** A response that breaks the contract. The message names a place in it and a rule, never a value. */
export class InvalidResponseError extends Error {}

/** A list that does not reach its end. The message says why, to follow "the list is incomplete:". */
export class IncompleteListError extends Error {}

/** Whether a code of Node or OpenSSL means that TLS failed. Node has no common mark for these. */
export function isTlsCode(code: string): boolean {
  return /CERT|^ERR_TLS_|^ERR_SSL_|^EPROTO$|^UNABLE_TO_|^CRL_|_CRL$|^HOSTNAME_MISMATCH$|^INVALID_CA$|^INVALID_PURPOSE$|^PATH_LENGTH_EXCEEDED$/.test(
    code,
  );
}
