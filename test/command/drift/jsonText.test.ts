import assert from "node:assert/strict";
import fc from "fast-check";
import { JsonText } from "../../../command/drift/jsonText.js";

const textOf = (text: string) => JsonText.of(Buffer.from(text));

/** Parses a value as a user of JsonText could: part by part. */
function parsedInParts(json: JsonText, value: unknown): unknown {
  if (Array.isArray(value)) {
    return json.elements().map((element, index) => parsedInParts(element, value[index]));
  }
  if (typeof value !== "object" || value === null) return json.parse();
  const members = Object.entries(value) as [string, unknown][];
  const found = json.members();
  assert.equal(found.size, members.length);
  return Object.fromEntries(
    members.map(([key, member]) => [key, parsedInParts(found.get(key)!, member)]),
  );
}

describe("JSON that is parsed in parts", () => {
  it("has the values of JSON.parse, with any indentation", () => {
    const values = fc
      .jsonValue({ noUnicodeString: false, maxDepth: 5 })
      .filter((value) => !JSON.stringify(value).includes("__proto__"));
    fc.assert(
      fc.property(values, fc.constantFrom(0, 1, 4), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const expected: unknown = JSON.parse(text);
        assert.deepEqual(parsedInParts(textOf(` ${text}\r\n`), expected), expected);
      }),
    );
  });

  it("says where brackets and quotes in texts do not count", () => {
    const value = { 'a"}': "]}\\", b: ['\\"', "{"] };
    assert.deepEqual(parsedInParts(textOf(JSON.stringify(value)), value), value);
  });

  it("compares texts", () => {
    const [one, other, third] = textOf('[{"a":1}, {"a":1}, {"a":2}]').elements();
    assert.ok(one && other && third);
    assert.equal(one.equals(other), true);
    assert.equal(one.equals(third), false);
  });

  for (const text of [
    "",
    " ",
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1}}',
    '{"a" 1}',
    "{1:2}",
    '{"a":"',
    '{"a":1 "b":2}',
  ]) {
    it(`throws a SyntaxError for ${JSON.stringify(text)}`, () => {
      assert.throws(() => textOf(text).members().get("a")?.parse(), SyntaxError);
    });
  }

  it("throws a SyntaxError for lists that end early or late", () => {
    for (const text of ["[", "[1", "[1,", "[1]]", "[1 2]"]) {
      assert.throws(() => textOf(text).elements(), SyntaxError, text);
    }
  });

  it("has no members and elements in other values", () => {
    assert.equal(textOf("1").members().size, 0);
    assert.deepEqual(textOf('"a"').elements(), []);
    assert.equal(textOf("[]").members().size, 0);
    assert.equal(textOf("{}").members().size, 0);
  });
});
