import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { repository } from "../support/paths.js";

const run = promisify(execFile);

describe("the build", () => {
  it("deletes compiled files whose source no longer exists, and no other files", async () => {
    const stale = ["js", "d.ts"].map((ending) => join(repository, `dist/sdk/stale.${ending}`));
    for (const file of stale) await writeFile(file, "");
    await run(process.execPath, [join(repository, "tools/removeStaleOutput.mjs")]);
    for (const file of stale) assert.ok(!existsSync(file), file);
    for (const file of ["sdk/index.js", "sdk/index.d.ts", "provider/wire/validators.js"]) {
      assert.ok(existsSync(join(repository, "dist", file)), file);
    }
  });
});
