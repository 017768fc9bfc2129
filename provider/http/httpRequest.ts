import * as http from "node:http";
import * as https from "node:https";
import { gunzipSync } from "node:zlib";
import {
  type ExchangeError,
  isTlsCode,
  TransportError,
  type TransportErrorKind,
} from "../errors/internalErrors.js";
import { startDeadline } from "./clock.js";
import { type TimeLimit, timeoutError } from "./limits.js";
import type { TunnelOptions } from "./agent.js";

export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** Address of the proxy. */
  readonly proxy?: string | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** The maximal size of the response, in bytes, both compressed and decompressed. */
  readonly maxBytes: number;
  /** Ends the request, from connecting to the last byte of the response. */
  readonly limit: TimeLimit;
  /**
   * Whether to open a connection for this request alone. A request on an idle connection fails if the
   * server closes it at that moment, and some requests must not be repeated.
   */
  readonly isOnNewConnection?: boolean | undefined;
  /** Whether nobody waits for the response. The request then does not keep the process alive. */
  readonly isInBackground?: boolean | undefined;
}

/** A response as it was received, with any status. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Sends one request and receives its response.
 *
 * Always settles: with the response, a TransportError, or a TimeoutError at the end of the limit.
 */
export function sendRequest(
  { body, maxBytes, limit, proxy, isInBackground = false }: HttpRequest,
  options: http.RequestOptions,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    // Until the proxy has opened the tunnel, the request has no socket. Destroying the request would
    // leave the CONNECT running.
    const tunnel = proxy === undefined ? undefined : new AbortController();
    const outgoing = (options.protocol === "https:" ? https : http).request(
      tunnel === undefined
        ? options
        : ({ ...options, tunnelSignal: tunnel.signal, isInBackground } as TunnelOptions),
    );
    if (isInBackground) outgoing.on("socket", (socket) => socket.unref());

    let status: number | undefined;
    let isSettled = false;

    // The timeouts of axios and of sockets restart with each byte. This one does not.
    const stopDeadline = startDeadline(
      limit.endMs,
      () => fail(timeoutError(limit)),
      !isInBackground,
    );

    function fail(error: ExchangeError): void {
      if (isSettled) return;
      isSettled = true;
      stopDeadline();
      if (status !== undefined) error.status = status;
      reject(error);
      outgoing.destroy();
      tunnel?.abort();
    }

    outgoing.on("error", (error) => fail(toTransportError(error)));
    // Without this listener, Node would close the connection and emit nothing but "close".
    outgoing.on("upgrade", (_incoming, socket) => {
      socket.destroy();
      fail(new TransportError("malformed", "UNEXPECTED_UPGRADE"));
    });
    outgoing.on("response", (incoming) => {
      const responseStatus = incoming.statusCode as number; // a server's response always has one
      status = responseStatus;
      const received = new ReceivedBytes();
      incoming.on("error", (error) => fail(toTransportError(error)));
      incoming.on("data", (chunk: Buffer) => {
        received.add(chunk);
        if (received.length > maxBytes) fail(new TransportError("tooLarge", "EMSGSIZE"));
      });
      incoming.on("end", () => {
        if (isSettled) return;
        isSettled = true;
        stopDeadline();
        resolve({
          status: responseStatus,
          headers: incoming.headers,
          body: received.bytes(),
        });
      });
    });
    // A connection can end without any other event. With a response, its "end" may still follow.
    outgoing.on("close", () => {
      if (status === undefined) fail(new TransportError("network", "CLOSED"));
    });
    outgoing.end(body);
  });
}

function toTransportError(error: NodeJS.ErrnoException): TransportError {
  if (error instanceof TransportError) return error; // from the proxy agent
  const code = error.code ?? "UNKNOWN";
  if (isTlsCode(code)) return new TransportError("tls", code);
  if (code.startsWith("HPE_")) return new TransportError("malformed", code);
  return new TransportError("network", code);
}

/**
 * Collects the bytes of a response in one growing buffer. A list of chunks would take 500 bytes for a
 * chunk of one byte, so a response within its limit of size could fill the memory.
 */
export class ReceivedBytes {
  private buffer: Buffer = Buffer.alloc(0);
  length = 0;

  add(chunk: Buffer): void {
    // Most responses are one chunk, which is not copied.
    if (this.length === 0) this.buffer = chunk;
    else {
      const length = this.length + chunk.length;
      if (length > this.buffer.length) this.grow(length);
      chunk.copy(this.buffer, this.length);
    }
    this.length += chunk.length;
  }

  bytes(): Buffer {
    const { buffer, length } = this;
    return buffer.length === length ? buffer : buffer.subarray(0, length);
  }

  private grow(length: number): void {
    const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.buffer.length));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}

/** The value of the Accept-Encoding header. */
export const acceptEncoding = "gzip";

/**
 * Decompresses the body of a response.
 *
 * It does so synchronously: the thread pool may be busy with other work for longer than any deadline.
 */
export function decompressed(response: HttpResponse, maxBytes: number): HttpResponse {
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() || "identity";
  if (encoding === "identity" || response.body.length === 0) return response;
  if (encoding !== "gzip" && encoding !== "x-gzip") {
    throw errorOf("malformed", "UNKNOWN_CONTENT_ENCODING", response);
  }
  try {
    return { ...response, body: gunzipSync(response.body, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    const kind = code === "ERR_BUFFER_TOO_LARGE" ? "tooLarge" : "malformed";
    throw errorOf(kind, code, response);
  }
}

function errorOf(kind: TransportErrorKind, code: string, { status }: HttpResponse): TransportError {
  return Object.assign(new TransportError(kind, code), { status });
}
