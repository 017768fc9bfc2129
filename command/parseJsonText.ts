import { argumentInvalid } from "../provider/errors/projectServiceError.js";

/**
 * Parses JSON that a user passes. A byte order mark at its start is skipped.
 *
 * @param content what the JSON must contain, as a sentence for the error.
 * @param source the subject of the error.
 * @throws ProjectServiceError `ARGUMENT_INVALID` with the line of the first mistake.
 */
export function parseJsonText(text: string, content: string, source = "the file"): unknown {
  const json = text.replace(/^\ufeff/, "");
  try {
    return JSON.parse(json);
  } catch {
    // Node's message quotes the text, which may be a password, and has no position in some versions.
    throw argumentInvalid(`${source} is not valid JSON${placeIn(json)}. ${content}`.trim());
  }
}

/** Returns the line of the mistake, or nothing if the JSON is nested so deeply that the stack ends first. */
function placeIn(json: string): string {
  try {
    return ` at line ${json.slice(0, mistakeIn(json)).split("\n").length}`;
  } catch {
    return "";
  }
}

const blanks = "[ \\t\\n\\r]*";
const token = (source: string) => new RegExp(`${blanks}(?:${source})`, "y");

const tokens = {
  objectStart: token("{"),
  objectEnd: token("}"),
  listStart: token("\\["),
  listEnd: token("\\]"),
  comma: token(","),
  colon: token(":"),
  text: token(
    String.raw`"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"`,
  ),
  plain: token(String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null`),
};

/** Returns the offset of the first token that JSON does not allow there. */
function mistakeIn(json: string): number {
  let offset = 0;
  const take = (expected: RegExp): boolean => {
    expected.lastIndex = offset;
    const isFound = expected.test(json);
    if (isFound) offset = expected.lastIndex;
    return isFound;
  };
  const takeValue = (): boolean => {
    if (take(tokens.objectStart)) return takeAll(takeMember, tokens.objectEnd);
    if (take(tokens.listStart)) return takeAll(takeValue, tokens.listEnd);
    return take(tokens.text) || take(tokens.plain);
  };
  const takeMember = () => take(tokens.text) && take(tokens.colon) && takeValue();
  const takeAll = (takeElement: () => boolean, end: RegExp): boolean => {
    if (take(end)) return true;
    do {
      if (!takeElement()) return false;
    } while (take(tokens.comma));
    return take(end);
  };
  takeValue();
  take(token(""));
  return offset;
}
