import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compiled } from "../support/paths.js";
import type * as CachedFolder from "../../tools/cachedFolder.js";

describe("the cache of external tools", () => {
  let home: string;
  let cachedFolder: typeof CachedFolder.cachedFolder;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), "cache-"));
    const { XDG_CACHE_HOME } = process.env;
    process.env["XDG_CACHE_HOME"] = home;
    const file = compiled("tools/cachedFolder.ts");
    delete require.cache[file];
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- reads the variable when loaded
    ({ cachedFolder } = require(file) as typeof CachedFolder);
    delete require.cache[file];
    if (XDG_CACHE_HOME === undefined) delete process.env["XDG_CACHE_HOME"];
    else process.env["XDG_CACHE_HOME"] = XDG_CACHE_HOME;
  });
  after(() => rm(home, { recursive: true, force: true }));

  const cached = () => readdir(join(home, "pulumi-project-service"));

  it("creates a folder once and keeps only the part that its creator returns", async () => {
    let created = 0;
    const create = async (temporary: string) => {
      created++;
      await writeFile(join(temporary, "download"), "");
      await mkdir(join(temporary, "tool"));
      await writeFile(join(temporary, "tool/program"), "1");
      return join(temporary, "tool");
    };
    const folder = await cachedFolder("tool-1", create);
    assert.equal(await cachedFolder("tool-1", create), folder);
    assert.equal(created, 1);
    assert.equal(await readFile(join(folder, "program"), "utf8"), "1");
    assert.deepEqual(await cached(), ["tool-1"]);
  });

  it("keeps no folder that could not be completed", async () => {
    const before = await cached();
    const create = () => Promise.reject(new Error("the download failed"));
    await assert.rejects(cachedFolder("tool-2", create), /the download failed/);
    assert.deepEqual(await cached(), before);
  });

  it("keeps the folder of another process that was faster", async () => {
    const folder = await cachedFolder("tool-3", async (temporary) => {
      await cachedFolder("tool-3", async (faster) => {
        await writeFile(join(faster, "program"), "faster");
        return faster;
      });
      return temporary;
    });
    assert.equal(await readFile(join(folder, "program"), "utf8"), "faster");
  });
});
