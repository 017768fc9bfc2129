import { isUtf8 } from "node:buffer";
import { InvalidAnswer } from "./validate.js";

const byteOrderMark = "\uFEFF";

/** Parses an answer's bytes. V8's own messages quote the text, so they go no further than here. */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw new InvalidAnswer("it is empty");
  if (!isUtf8(body)) throw new InvalidAnswer("it is not UTF-8 text");
  const text = body.toString("utf8");
  try {
    return JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text);
  } catch {
    throw new InvalidAnswer("it is not JSON");
  }
}
