import { argumentInvalid } from "../provider/errors/projectServiceError.js";
import { displayText } from "../provider/errors/displayText.js";

/**
 * Parses JSON that a user passes. A byte order mark at its start is skipped.
 *
 * @param content what the JSON must contain, as a sentence for the error.
 * @param source the subject of the error.
 * @throws ProjectServiceError `ARGUMENT_INVALID` with the line of the first error. A key that an object
 *   has twice is an error too: JSON.parse would ignore one of the values.
 */
export function parseJsonText(text: string, content: string, source = "the file"): unknown {
  const json = text.replace(/^\ufeff/, "");
  const problem = problemIn(json);
  if (problem === undefined) return JSON.parse(json);
  const line = json.slice(0, problem.offset).split("\n").length;
  throw argumentInvalid(
    problem.repeatedKey === undefined
      ? `${source} ${problem.rule} at line ${line}. ${content}`.trim()
      : `the key ${displayText(problem.repeatedKey)} is twice in the object at line ${line}. Remove one of them.`,
  );
}

interface Problem {
  readonly offset: number;
  readonly rule?: string;
  readonly repeatedKey?: string;
}

const blank = /[ \t\n\r]*/y;
const token = new RegExp(
  [
    /([[\]{},:])/,
    /("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*")/,
    /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/,
    /$/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "y",
);

/** The tokens with which a value can start. `"` is a text, and `0` is another value without parts. */
const values = '{["0';

/** More than any file needs. Code that reads a deeper value would overflow its stack. */
const maxDepth = 2_000;

/**
 * Returns the first problem of a text in JSON. This is own code because Node's message quotes the text, which
 * may be a password, and names no position in some versions.
 */
function problemIn(text: string): Problem | undefined {
  /** For each open object its keys so far, for each open list undefined. */
  const open: (Set<string> | undefined)[] = [];
  /** The tokens that JSON allows next. `k` is a key, and `$` is the end. */
  let allowed = values;
  for (let offset = 0; ; offset = token.lastIndex) {
    blank.lastIndex = offset;
    blank.test(text);
    const start = (token.lastIndex = blank.lastIndex);
    const [found, mark, string] = token.exec(text) ?? [];
    const isKey = string !== undefined && allowed.includes("k");
    const kind = isKey ? "k" : (mark ?? string?.[0] ?? (found === "" ? "$" : "0"));
    if (found === undefined || !allowed.includes(kind)) {
      return { rule: "is not valid JSON", offset: start };
    }
    if (kind === "$") return undefined;
    if (kind === "{" || kind === "[") {
      if (open.length === maxDepth) return { rule: "is nested too deeply", offset: start };
      open.push(kind === "{" ? new Set() : undefined);
    }
    if (kind === "}" || kind === "]") open.pop();
    const keys = open.at(-1);
    if (kind === "k" && string !== undefined) {
      const key = JSON.parse(string) as string;
      if (keys?.has(key)) return { repeatedKey: key, offset: start };
      keys?.add(key);
    }
    if (kind === "{") allowed = "k}";
    else if (kind === "[") allowed = `${values}]`;
    else if (kind === "k") allowed = ":";
    else if (kind === ":") allowed = values;
    else if (kind === ",") allowed = keys === undefined ? values : "k";
    else if (open.length === 0) allowed = "$";
    else allowed = keys === undefined ? ",]" : ",}";
  }
}
