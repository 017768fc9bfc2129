import assert from "node:assert/strict";
import { displayList, displayText } from "../../../provider/errors/displayText.js";
import { commandsIn } from "../../support/logCommands.js";

describe("text for a log", () => {
  for (const text of [
    "##[error]x",
    "a ##vso[task.setvariable variable=PATH;issecret=false]x",
    "##TeamCity[message text='x']",
    "###[group]",
    "::add-mask::x",
    " \t\u00a0::warning file=a,line=1::x",
    "::Resume-Token::",
    "::echo::on",
    "::debug \u2028::x",
    "a\r\n::debug::x\r::debug::x\n\n ::debug::x",
  ]) {
    it(`contains no command, such as ${JSON.stringify(text)}`, () => {
      assert.notDeepEqual(commandsIn(text), [], "the runner reads one");
      const shown = displayText(text);
      assert.deepEqual(commandsIn(shown), []);
      assert.equal(displayText(shown), shown, "the same for a shown text");
    });
  }

  for (const [text, shown] of [
    ["##::", "#\\u0023:\\u003a"],
    ["####:::", "#\\u0023\\u0023\\u0023:\\u003a\\u003a"],
    ["#\u200b#:\n:", "#\\u200b#:\\n:"],
    [
      "\r\n\t\u001b\u0085\u00ad\u2028\u2029\u{e0041}\ud800\u034f\u2800\u3164",
      "\\r\\n\\t\\u001b\\u0085\\u00ad\\u2028\\u2029\\u{e0041}\\ud800\\u034f\\u2800\\u3164",
    ],
    ["C# #1: é 漢字 👩 a:b", "C# #1: é 漢字 👩 a:b"],
  ] as const) {
    it(`has no unsafe character, and no ## and ::, such as ${JSON.stringify(text)}`, () => {
      assert.equal(displayText(text), shown);
    });
  }

  it("is cut", () => {
    assert.equal(displayText("12345", 5), "12345");
    assert.equal(displayText("123456", 5), "12345…");
    assert.equal(displayList(["a\n", "bcd", "e"], 2, 2), "a\\n, bc… and 1 more");
  });
});
