import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { startSandbox } from "../../sandbox/index.js";
import { repository } from "../support/paths.js";

/** As fake timers of a test framework and older libraries do it, in a process of its own. */
describe("a program that replaces globals after the import", () => {
  it("still reads: with timers that never fire, a clock that stands, and node-fetch's Response", async () => {
    const sandbox = await startSandbox();
    sandbox.failNext({ status: 503, times: 2, path: /\/projects\/./ });
    const program = `
      const { getProject, getProjects } = require("pulumi-project-service");
      const never = () => ({ ref() {}, unref() {} });
      const now = performance.now();
      Object.assign(globalThis, { setTimeout: never, setInterval: never, setImmediate: never, clearTimeout() {} });
      performance.now = () => now;
      Date.now = () => 0;
      globalThis.Response = class extends Response { static json = undefined; };
      const opts = { connection: ${JSON.stringify(sandbox.connection)} };
      (async () => {
        const { name } = await getProject({ name: "shop" }, opts);
        const { projects } = await getProjects({ details: true }, opts);
        process.stdout.write(name + " " + projects.length);
      })();`;
    const options = { cwd: repository, timeout: 110_000 };
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", program], options);
    await sandbox.close();
    assert.equal(stdout, "shop 12");
  });
});
