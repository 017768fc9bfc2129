import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { compiled } from "../support/paths.js";

describe("a rejection that is handled late", () => {
  /** Rejects with an error, handles it 10 ms later, and returns what Node prints. */
  function warningsOf(error: string, more = ""): string {
    const program = `
      const { avoidWarning } = require(${JSON.stringify(compiled("sdk/reading/pulumiPromises.ts"))});
      const ours = new Error("ours");
      avoidWarning(ours);
      ${more}
      process.on("unhandledRejection", () => {});
      const promise = Promise.reject(${error});
      setTimeout(() => promise.catch(() => {}), 10);`;
    const { status, stderr } = spawnSync(process.execPath, ["-e", program], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    return stderr;
  }

  it("causes no warning if a read failed", () => assert.equal(warningsOf("ours"), ""));

  for (const foreign of ["new Error('foreign')", "'text'", "undefined"]) {
    it(`causes Node's warning if it is ${foreign}`, () => {
      const printed = warningsOf(foreign);
      const warning =
        /PromiseRejectionHandledWarning: Promise rejection was handled asynchronously/g;
      assert.equal(printed.match(warning)?.length, 1, printed);
    });
  }

  it("causes no warning if the program listens itself, as without this package", () => {
    const listener = `process.on("rejectionHandled", () => {});`;
    assert.equal(warningsOf("new Error('foreign')", listener), "");
  });
});
