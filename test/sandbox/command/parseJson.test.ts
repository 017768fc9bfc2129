import assert from "node:assert/strict";
import { property, assert as check, json, nat, constantFrom } from "fast-check";
import { parseJson } from "../../../sandbox/command/parseJson.js";

describe("parseJson", () => {
  it("returns what JSON.parse returns", () => {
    check(
      property(json(), (text) => {
        assert.deepEqual(parseJson(` \n${text}\t`), JSON.parse(text));
      }),
    );
  });

  it("rejects the texts that JSON.parse rejects, and no others", () => {
    const characters = constantFrom(...'{}[]",:\\u0a1-.eE+ \n\ttrfalsn\u0001\u00a0');
    check(
      property(json(), nat(), characters, (text, place, character) => {
        const position = place % (text.length + 1);
        const changed = text.slice(0, position) + character + text.slice(position + 1);
        assert.equal(isAccepted(parseJson, changed), isAccepted(JSON.parse, changed));
      }),
      { numRuns: 2_000 },
    );
  });

  for (const [text, message] of [
    ['[\n  {"a": 1}\n  {"b": 2}\n]', 'expected "," or "]" at line 3, column 3'],
    ['{\n  "a": 1\n  "b": 2\n}', 'expected "," or "}" at line 3, column 3'],
    ["[1, 2,]", "expected a value at line 1, column 7"],
    ['{"a": 1,}', "expected a property name in double quotes at line 1, column 9"],
    ["{a: 1}", "expected a property name in double quotes at line 1, column 2"],
    ['{"a" 1}', 'expected ":" at line 1, column 6'],
    ['["a\n"]', "the string is not closed or not valid at line 1, column 2"],
    ['["\\x"]', "the string is not closed or not valid at line 1, column 2"],
    ["[1]\n]", "expected the end of the file at line 2, column 1"],
    ["", "expected a value at line 1, column 1"],
    ["[1", 'expected "," or "]" at line 1, column 3'],
  ] as const) {
    it(`names the place and the rule in ${JSON.stringify(text)}`, () => {
      assert.throws(() => parseJson(text), { name: "SyntaxError", message });
    });
  }
});

function isAccepted(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    assert.ok(error instanceof SyntaxError);
    return false;
  }
}
