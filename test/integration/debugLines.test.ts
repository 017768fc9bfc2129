import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Sandbox, startSandbox } from "../support/testSandbox.js";
import { assertHoldsNone, secretsOf } from "../support/leakSearch.js";
import { repository } from "../support/paths.js";

describe("NODE_DEBUG=pulumi-project-service", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startSandbox();
  });
  after(() => sandbox.close());

  it("prints a line for each request, without credentials and secret arguments", async () => {
    sandbox.failNext({ status: 503, path: /p-1$/ });
    const program = `
      const pulumi = require("@pulumi/pulumi");
      const { getProject, getProjectOutput } = require("pulumi-project-service");
      const opts = { connection: ${JSON.stringify(sandbox.connection)} };
      getProject({ projectId: "p-1" }, opts)
        .then(() => getProjectOutput({ projectId: pulumi.secret("p-2") }, opts).apply(() => {}));`;
    const { stderr } = await promisify(execFile)(process.execPath, ["-e", program], {
      cwd: repository,
      env: { ...process.env, NODE_DEBUG: "pulumi-project-service" },
    });
    const lines = stderr.split("\n").filter((line) => line.startsWith("PULUMI-PROJECT-SERVICE"));
    assert.equal(lines.length, 4, stderr);
    assert.match(lines[0] ?? "", /POST .*\/openid-connect\/token: 200, \d+ ms$/);
    assert.match(lines[1] ?? "", /GET .*\/projects\/p-1: 503, \d+ ms$/);
    assert.match(lines[2] ?? "", /GET .*\/projects\/p-1: 200, \d+ ms$/);
    assert.match(lines[3] ?? "", /GET .*\/v5\/projects\/…: 200, \d+ ms$/);
    assertHoldsNone("the lines", stderr, secretsOf(sandbox));
  });
});
