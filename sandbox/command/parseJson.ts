import { printParseErrorCode, visit } from "jsonc-parser";

/**
 * Parses JSON that a person edits. In contrast to `JSON.parse`, an error always has the place and
 * what is expected there: with Node 20, some errors of `JSON.parse` have no position.
 *
 * @throws SyntaxError such as `comma expected at line 3, column 5`
 */
export function parseJson(text: string): unknown {
  visit(
    text,
    {
      onError(code, _offset, _length, line, column) {
        const problem = inWords(printParseErrorCode(code));
        throw new SyntaxError(`${problem} at line ${line + 1}, column ${column + 1}`);
      },
    },
    { disallowComments: true },
  );
  return JSON.parse(text) as unknown;
}

/** Returns `comma expected` for `CommaExpected`. */
function inWords(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}
