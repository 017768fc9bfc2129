import assert from "node:assert/strict";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { errorOfProgram } from "../../sdk/reading/programErrors.js";

describe("the place of a call in an error", () => {
  for (const [what, frames, place] of [
    ["has the line", ["at main (/hosting/index.ts:7:9)"], " (index.ts:7)"],
    ["has the line on Windows", ["at C:\\hosting\\index.ts:7:9"], " (index.ts:7)"],
    [
      "has the line of an ES module in JavaScript",
      ["at file:///a/index.mjs:7:9"],
      " (index.mjs:7)",
    ],
    [
      "has no line of an ES module that a loader has compiled",
      ["at file:///a/index.ts:7:9"],
      " (index.ts)",
    ],
    ["is not in Node", ["at from (node:buffer:3:9)", "at /a/index.ts:7:9"], " (index.ts:7)"],
    ["is absent if a program has replaced how stacks are written", [], ""],
  ] as const) {
    it(what, () => {
      const call = { stack: ["Error", ...frames].join("\n    ") };
      const { message } = errorOfProgram(
        new ProjectServiceError("NOT_FOUND", "Wrong."),
        call,
      ) as Error;
      assert.equal(message, `Wrong.${place}`);
    });
  }
});
