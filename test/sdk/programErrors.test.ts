import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { errorOfProgram } from "../../sdk/reading/programErrors.js";

describe("the place of a call in an error", () => {
  const inProgram = (file: string) => join(process.cwd(), file);
  const url = (file: string) => pathToFileURL(inProgram(file)).href;

  for (const [what, location, place] of [
    ["has the line", inProgram("index.ts"), " (index.ts:7)"],
    ["has the line of an ES module in JavaScript", url("index.mjs"), " (index.mjs:7)"],
    ["has no line of an ES module that a loader has compiled", url("index.ts"), " (index.ts)"],
    ["is nothing outside the program", join("/", "elsewhere", "index.ts"), ""],
  ] as const) {
    it(what, () => {
      const call = new Error();
      call.stack = `Error\n    at main (${location}:7:9)`;
      const { message } = errorOfProgram(argumentInvalid("Wrong."), call) as Error;
      assert.equal(message, `Wrong.${place}`);
    });
  }
});
