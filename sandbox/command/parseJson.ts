/**
 * Parses JSON that a person edits. In contrast to `JSON.parse`, an error always has the place and
 * what is expected there: with Node 20, some errors of `JSON.parse` have no position.
 *
 * @throws SyntaxError such as `expected "," or "]" at line 3, column 5`
 */
export function parseJson(text: string): unknown {
  let position = 0;

  /** If the pattern is next, skips it and the white space after it. */
  function take(pattern: RegExp): boolean {
    pattern.lastIndex = position;
    if (!pattern.test(text)) return false;
    position = pattern.lastIndex;
    skipSpace();
    return true;
  }

  function skipSpace(): void {
    space.lastIndex = position;
    space.test(text);
    position = space.lastIndex;
  }

  function value(): void {
    if (take(/\{/y)) membersUntil("}", property);
    else if (take(/\[/y)) membersUntil("]", value);
    else if (!take(scalar)) string("a value");
  }

  function property(): void {
    string("a property name in double quotes");
    if (!take(/:/y)) fail('expected ":"');
    value();
  }

  function string(expected: string): void {
    if (take(stringToken)) return;
    if (text[position] === '"') fail("the string is not closed or not valid");
    fail(`expected ${expected}`);
  }

  function membersUntil(end: "}" | "]", member: () => void): void {
    const isAtEnd = () => take(end === "}" ? /\}/y : /\]/y);
    if (isAtEnd()) return;
    do member();
    while (take(/,/y));
    if (!isAtEnd()) fail(`expected "," or "${end}"`);
  }

  function fail(problem: string): never {
    const lines = text.slice(0, position).split("\n");
    const column = (lines.at(-1) as string).length + 1;
    throw new SyntaxError(`${problem} at line ${lines.length}, column ${column}`);
  }

  skipSpace();
  value();
  if (position < text.length) fail("expected the end of the file");
  return JSON.parse(text) as unknown;
}

const space = /[ \t\n\r]*/y;
const stringToken = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
