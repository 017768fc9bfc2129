import type * as JsoncParser from "jsonc-parser";
import { argumentInvalid } from "../provider/errors/argumentInvalid.js";

/**
 * Parses the JSON of a file that a user writes.
 *
 * @param content what the file must contain, as a sentence for the error.
 * @throws ProjectServiceError `ARGUMENT_INVALID` with the line of the first error.
 */
export function parseJsonText(text: string, content: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw argumentInvalid(`the file is not valid JSON${placeOfError(text)}. ${content}`.trim());
  }
}

/** Node's own message would quote the file, and has no line in some versions. */
function placeOfError(text: string): string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only for a broken file
  const { parse, printParseErrorCode } = require("jsonc-parser") as typeof JsoncParser;
  const errors: JsoncParser.ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first === undefined) return "";
  const line = text.slice(0, first.offset).split("\n").length;
  return ` at line ${line} (${printParseErrorCode(first.error)})`;
}
