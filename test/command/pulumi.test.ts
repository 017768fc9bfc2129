import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { mock } from "node:test";
import { runPulumi } from "../../command/pulumi.js";

describe("a Pulumi CLI that never ends", () => {
  it("is named after a while, and given up after another, also with a process that it has started", async () => {
    const folder = await mkdtemp(join(tmpdir(), "pulumi-"));
    const { PATH } = process.env;
    await writeFile(join(folder, "pulumi"), "#!/bin/sh\nsleep 60 & wait\n", { mode: 0o755 });
    process.env["PATH"] = folder + delimiter + PATH;
    const said = mock.method(process.stderr, "write", () => true);
    const waits = { noticeMs: 50, limitMs: 300 };
    try {
      const run = await runPulumi(["config", "--json"], folder, undefined, waits);
      assert.equal(run.unusable, "pulumi config has not ended within 0.3 s");
      const lines = said.mock.calls.map(({ arguments: [text] }) => text);
      assert.deepEqual(lines, ["Waiting for pulumi config.\n"]);
    } finally {
      said.mock.restore();
      process.env["PATH"] = PATH;
      await rm(folder, { recursive: true });
    }
  });
});
