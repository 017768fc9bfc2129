import assert from "node:assert/strict";
import fc from "fast-check";
import { parseJsonText } from "../../command/parseJsonText.js";

const messageOf = (text: string): string => {
  try {
    parseJsonText(text, "It must be a list.");
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

describe("parseJsonText", () => {
  it("accepts what JSON.parse accepts, and nothing else, also after a byte order mark", () => {
    const mistakes = fc.constantFrom(..."{}[],:\"\\-+.eE01tfn u\n\u0000\u00a0'".split(""), "");
    const json = fc.json({ maxDepth: 4 });
    const texts = fc
      .tuple(json, fc.nat(), fc.nat(2), mistakes)
      .map(([text, at, length, mistake]) => {
        const start = at % (text.length + 1);
        return text.slice(0, start) + mistake + text.slice(start + length);
      });
    fc.assert(
      fc.property(fc.oneof(json, texts), (text) => {
        const message = messageOf(text);
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          assert.match(message, /^the file is not valid JSON at line \d+\. It must be a list\.$/);
          return;
        }
        assert.deepEqual(parseJsonText(`\ufeff${text}`, ""), value);
      }),
      { numRuns: 2_000 },
    );
  });

  it("names no line in text that is nested too deeply", () => {
    assert.throws(() => parseJsonText("[".repeat(200_000), ""), /the file is not valid JSON\.$/m);
  });

  for (const [text, line] of [
    ["", 1],
    ["[\n  1,\n  2,\n]", 4],
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ['{\n  "a": 1,\n}', 3],
    ["{\n  'a': 1 }", 2],
    ['[\n"unterminated\n]', 2],
    ["[1] // comment", 1],
    ["[\r\n01]", 2],
  ] as const) {
    it(`names line ${line} in ${JSON.stringify(text)}`, () => {
      assert.equal(
        messageOf(text),
        `the file is not valid JSON at line ${line}. It must be a list.`,
      );
    });
  }
});
