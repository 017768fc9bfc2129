import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findProgram } from "../../command/findProgram.js";

describe("a program", () => {
  let root: string;
  const folder = process.cwd();
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "programs-"));
    const files = [
      "tool",
      "tool.exe",
      "tool.cmd",
      "a/tool.cmd",
      "b/tool",
      "b/tool.exe",
      "c/tool.x",
    ];
    for (const file of files) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), "", { mode: 0o755 });
    }
    await mkdir(join(root, "d/tool"), { recursive: true });
    await mkdir(join(root, "e"));
    await writeFile(join(root, "e/tool"), "", { mode: 0o644 });
    process.chdir(root);
  });
  afterEach(async () => {
    process.chdir(folder);
    await rm(root, { recursive: true });
  });

  const find = (command: string, platform: NodeJS.Platform, entries: readonly string[]) => {
    const PATH = entries.join(platform === "win32" ? ";" : ":");
    return findProgram(command, { platform, env: { PATH } })?.replace(`${root}/`, "");
  };
  const at = (name: string) => `${root}/${name}`;

  for (const platform of ["linux", "win32"] as const) {
    it(`is not looked for in the current folder on ${platform}`, () => {
      for (const entries of [[], [""], ["."], ["", ".", "a/..", "b", '"b"', at("none")]]) {
        assert.equal(find("tool", platform, entries), undefined, JSON.stringify(entries));
      }
    });

    it(`that is named with a path separator is taken as written on ${platform}`, () => {
      assert.equal(find("./tool", platform, [at("b")]), "./tool");
    });
  }

  it("is the first executable file on PATH", () => {
    assert.equal(find("tool", "linux", ["", at("d"), at("e"), at("b"), at("a")]), "b/tool");
    assert.equal(find("tool", "linux", [at("d"), at("e")]), "e/tool", "which the start refuses");
    assert.equal(find("tool", "win32", [at("c"), `"${at("b")}"`, at("a")]), "b/tool.exe");
    assert.equal(find("tool.x", "win32", [at("c")]), "c/tool.x");
    assert.equal(find(".\\tool", "win32", []), ".\\tool");
  });

  it("that is a batch file is refused on Windows, with what to do", () => {
    const message = /^tool is a batch file, \S+a\/tool\.cmd, and Node .* Use a program/;
    assert.throws(() => find("tool", "win32", [at("a"), at("b")]), { message });
    assert.throws(() => find(".\\tool.BAT", "win32", []), {
      message: /tool\.BAT is a batch file and/,
    });
  });
});
