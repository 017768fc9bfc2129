import assert from "node:assert/strict";
import {
  displayLines,
  displayText,
  mayContainCommand,
  withoutCommandSigns,
} from "../../../provider/errors/displayText.js";
import { commandsIn, ignorableCharacters } from "../../support/logCommands.js";

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
    "::echo::on",
    "##\u0591[error]x",
    "##vso\u06dc[task.complete]x",
    "\u0591\u0085::stop-commands:\u0591:tok",
    "::debug \u2028::x",
  ];
  for (const text of commands) {
    it(`contains no command, such as ${JSON.stringify(text)}`, () => {
      assert.equal(commandsIn(text).length, 1, "the runner reads it");
      assert.ok(mayContainCommand(text));
      assert.deepEqual(commandsIn(displayLines(withoutCommandSigns(text))), []);
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
    "::1/128 fe80::1 shop",
    "::/0, 2001:db8::/32",
    "::1; ::2",
    "::1%eth0 fe80::2",
    "::ffff:192.0.2.1 ::2",
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

  for (const text of ["::beef::x", "::1::2", "::1-2 ::x", "::add::x", "::12345 ::x", "::1x ::2"]) {
    it(`is changed if what starts it may be the token of stop-commands, such as ${text}`, () => {
      assert.equal(displayLines(text), text.replace("::", ":\\u003a"));
    });
  }

  it("contains no command with any character that runners ignore", () => {
    assert.ok(ignorableCharacters.size > 900, String(ignorableCharacters.size));
    const texts = [...ignorableCharacters].flatMap((one) => [
      `${one}::debug:${one}:x`,
      `:${one}:debug::x`,
      `#${one}#[error]x`,
      `##${one}vso[x]`,
      `##t${one}eamcity${one}[x]`,
    ]);
    assert.equal(commandsIn(texts.join("\n")).length, texts.length);
    assert.deepEqual(
      texts.filter((text) => !mayContainCommand(text)),
      [],
    );
    assert.deepEqual(commandsIn(displayLines(withoutCommandSigns(texts.join("\n")))), []);
    assert.deepEqual(
      commandsIn(displayLines(texts.map((text) => displayText(text)).join("\n"))),
      [],
    );
  });

  it("is searched in linear time", () => {
    for (const text of ["#", "#\u0301", "\u0301", "\ufeff", ":\u0301", " ", "\n", "##v"]) {
      for (const long of [text.repeat(50_000), `#${text.repeat(50_000)}`]) {
        const start = performance.now();
        displayLines(withoutCommandSigns(long));
        mayContainCommand(long);
        assert.ok(performance.now() - start < 2000, JSON.stringify(text));
      }
    }
  });

  it("breaks a command in any line", () => {
    assert.deepEqual(commandsIn(displayLines("a\r\n::debug::x\r::debug::x\n\n ::debug::x")), []);
  });
});
