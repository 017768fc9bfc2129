import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../support/paths.js";
import { run, useWorkbench } from "../support/workbench.js";

describe("the demo", () => {
  it("runs the quickstart with the sandbox, and prints outputs as its README shows, without a credential", async function () {
    await useWorkbench(this);
    const demo = join(repository, "dist/tools/demo.js");
    const { stdout, stderr } = await run(process.execPath, [demo], { cwd: repository });
    const readme = await readFile(join(repository, "examples/quickstart/README.md"), "utf8");
    const [, outputs] = /npm run demo\n([^]*?)```/.exec(readme) ?? assert.fail();
    assert.ok(stdout.includes(outputs as string), stdout + stderr);
    assert.doesNotMatch(stdout, /(password|username) *: (?!\[secret\])/);
    assert.equal(existsSync(join(repository, ".demo")), false);
  });
});
