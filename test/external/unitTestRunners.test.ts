import assert from "node:assert/strict";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CodeBlock, codeBlocks } from "../../tools/docs/markdown.js";
import { readDocument } from "../../tools/docs/documents.js";
import { repository } from "../support/paths.js";
import { toolOrSkip } from "../support/toolOrSkip.js";
import { run, useWorkbench } from "../support/workbench.js";

const blocks = codeBlocks(readDocument(repository, "docs/testing.md"));

/** Returns the block of docs/testing.md in this language that has the text. */
function blockWith(language: string, text: string): CodeBlock {
  const found = blocks.filter((block) => block.language === language && block.text.includes(text));
  assert.equal(found.length, 1, `docs/testing.md has one ${language} block with ${text}`);
  return found[0] as CodeBlock;
}

interface Manifest {
  scripts: Record<string, string>;
  devDependencies: Record<string, string>;
}

describe("the tests of examples/unit-test, with the recipe of docs/testing.md", () => {
  for (const [runner, passed] of [
    ["vitest", /^ +Tests +5 passed \(5\)$/m],
    ["jest", /^Tests: +5 passed, 5 total$/m],
  ] as const) {
    it(`pass with ${runner}`, async function () {
      // Below the workbench, which has this package and the packages of the example.
      const directory = join((await useWorkbench(this)).directory, `unit-test-${runner}`);
      await mkdir(directory);
      await cp(join(repository, "examples/unit-test"), directory, { recursive: true });
      const manifest = join(directory, "package.json");
      const { devDependencies } = JSON.parse(await readFile(manifest, "utf8")) as Manifest;
      const { scripts } = JSON.parse(blockWith("json", runner).text) as Manifest;
      await writeFile(manifest, JSON.stringify({ private: true, scripts }));

      const install = blockWith("sh", runner).text.trim();
      const mochaTypes = `@types/mocha@${devDependencies["@types/mocha"]}`;
      const options = ["--no-audit", "--no-fund", "--loglevel=error"];
      const [npm = "", ...args] = [...install.split(" "), mochaTypes, ...options];
      await toolOrSkip(this, () => run(npm, args, { cwd: directory }));
      // Without colors, which depend on the terminal.
      const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" };
      const { stdout, stderr } = await run("npm", ["test"], { cwd: directory, env });
      assert.match(stdout + stderr, passed);
    });
  }
});
