import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { repository } from "../support/paths.js";

describe("a process with a sandbox that it never closes", () => {
  it("reads a project and ends, although requests fail first", async () => {
    const program = `
      const { getProject } = require("pulumi-project-service");
      const { startSandbox } = require("pulumi-project-service/sandbox");
      startSandbox().then((sandbox) => {
        sandbox.failNext({ status: 503, times: 2 });
        const opts = { connection: sandbox.connection };
        return getProject({ name: "shop" }, opts).then(({ projectId }) => console.log(projectId));
      });`;
    // Without a limit, a program that does not end would outlive the test.
    const options = { cwd: repository, timeout: 110_000, killSignal: "SIGKILL" } as const;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", program], options);
    assert.equal(stdout, "p-1\n");
  });
});
