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
    ['[\n  {"a": 1}\n  {"b": 2}\n]', "comma expected at line 3, column 3"],
    ['{\n  "a": 1\n  "b": 2\n}', "comma expected at line 3, column 3"],
    ["[1, 2,]", "value expected at line 1, column 7"],
    ['{"a": 1,}', "property name expected at line 1, column 9"],
    ["{a: 1}", "invalid symbol at line 1, column 2"],
    ['{"a" 1}', "colon expected at line 1, column 6"],
    ['["a\n"]', "unexpected end of string at line 1, column 2"],
    ['["\\x"]', "invalid escape character at line 1, column 2"],
    ["[1]\n]", "end of file expected at line 2, column 1"],
    ["", "value expected at line 1, column 1"],
    ["// a\n[]", "invalid comment token at line 1, column 1"],
    ["[1", "close bracket expected at line 1, column 3"],
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
