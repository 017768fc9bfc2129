import assert from "node:assert/strict";
import { displayLines, displayText } from "../../../provider/errors/displayText.js";
import { commandsIn } from "../../support/logCommands.js";

describe("text for a log", () => {
  const commands = [
    "##[error]x",
    "a ##vso[task.setvariable variable=PATH;issecret=false]x",
    "##TeamCity[message text='x']",
    "###[group]",
    "#\u034f#\u034f[group]",
    "::add-mask::x",
    " \t\u00a0::warning file=a,line=1::x",
    ":\u034f:debug::x",
    "::Resume-Token::",
  ];
  for (const text of commands) {
    it(`contains no command, such as ${JSON.stringify(text)}`, () => {
      assert.equal(commandsIn(text).length, 1, "the runner reads it");
      const shown = displayLines(displayText(text));
      assert.deepEqual(commandsIn(shown), []);
      assert.equal(displayLines(displayText(shown)), shown, "the same for a shown text");
    });
  }

  for (const text of [
    "::1",
    "::ffff:192.0.2.1",
    "::1 and ::2",
    "2001:db8::1, ::1, ::2",
    "::1, ::2",
    "C# ## x",
    "see #[1]",
    "std::vector and std::map",
    "a\n::1\nb::c::d",
  ]) {
    it(`stays as it is if it contains none, such as ${JSON.stringify(text)}`, () => {
      assert.deepEqual(commandsIn(text), []);
      assert.equal(displayLines(text), text);
      if (!text.includes("\n")) assert.equal(displayText(text), text);
    });
  }

  it("breaks a command in any line", () => {
    assert.deepEqual(commandsIn(displayLines("a\r\n::debug::x\r::debug::x\n\n ::debug::x")), []);
  });
});
