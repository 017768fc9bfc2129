import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { repository } from "../support/paths.js";

const run = promisify(execFile);

describe("the build", () => {
  it("deletes compiled files whose source no longer exists, and no other files", async () => {
    // A small repository, because other tests use the compiled files of this one.
    const root = await mkdtemp(join(tmpdir(), "build-"));
    const script = "tools/removeStaleOutput.mjs";
    await cp(join(repository, script), join(root, script));
    for (const folder of ["sdk", "dist/sdk", "dist/provider/wire"]) {
      await mkdir(join(root, folder), { recursive: true });
    }
    const kept = ["sdk/index.js", "sdk/index.d.ts", "sdk/page.html", "provider/wire/validators.js"];
    const stale = ["sdk/stale.js", "sdk/stale.d.ts"];
    await writeFile(join(root, "sdk/index.ts"), "");
    for (const file of [...kept, ...stale]) await writeFile(join(root, "dist", file), "");

    await run(process.execPath, [join(root, script)]);
    const entries = await readdir(join(root, "dist"), { recursive: true });
    const files = entries.filter((entry) => /\.(js|ts|html)$/.test(entry));
    assert.deepEqual(files.sort(), kept.sort());
    await rm(root, { recursive: true });
  });
});
