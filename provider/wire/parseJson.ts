import { isUtf8 } from "node:buffer";
import { InvalidResponseError } from "../errors/internalErrors.js";

const byteOrderMark = "\uFEFF";

/** Parses the body of a response. V8's own error messages quote the text, so they are dropped. */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw new InvalidResponseError("it is empty");
  if (!isUtf8(body)) throw new InvalidResponseError("it is not UTF-8 text");
  const text = body.toString("utf8");
  try {
    return JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text);
  } catch {
    throw new InvalidResponseError("it is not JSON");
  }
}
