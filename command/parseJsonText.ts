import type * as JsoncParser from "jsonc-parser";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";
import { displayText } from "../provider/errors/displayText.js";

/**
 * Parses the JSON of a file that a user writes.
 *
 * @param content what the file must contain, as a sentence for the error.
 * @throws ProjectServiceError `ARGUMENT_INVALID` with the line of the first error. A key that an object
 *   has twice is an error too: JSON.parse would ignore one of the values.
 */
export function parseJsonText(text: string, content: string): unknown {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only for a file
  const parser = require("jsonc-parser") as typeof JsoncParser;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw argumentInvalid(
      `the file is not valid JSON${placeOfError(parser, text)}. ${content}`.trim(),
    );
  }
  refuseRepeatedKeys(parser, text);
  return value;
}

/** Node's own message would quote the file, and has no line in some versions. */
function placeOfError({ parse, printParseErrorCode }: typeof JsoncParser, text: string): string {
  const errors: JsoncParser.ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first === undefined) return "";
  return ` at line ${lineOf(text, first.offset)} (${printParseErrorCode(first.error)})`;
}

function refuseRepeatedKeys({ visit }: typeof JsoncParser, text: string): void {
  const objects: Set<string>[] = [];
  visit(text, {
    onObjectBegin: () => void objects.push(new Set()),
    onObjectEnd: () => void objects.pop(),
    onObjectProperty(key, offset) {
      const keys = objects.at(-1) as Set<string>;
      if (keys.has(key)) {
        throw argumentInvalid(
          `the key ${displayText(key)} is twice in the object at line ${lineOf(text, offset)}. Remove one of them.`,
        );
      }
      keys.add(key);
    },
  });
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
