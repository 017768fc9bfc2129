import { gunzipSync } from "node:zlib";
import { TransportError, type TransportErrorKind } from "../errors/internalErrors.js";
import type { HttpResponse } from "./exchange.js";

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
