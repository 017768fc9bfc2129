import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { documentPaths, readDocument } from "../../tools/docs/documents.js";
import { codeSpans, linkTargets } from "../../tools/docs/markdown.js";
import { brokenLinks } from "../support/brokenLinks.js";
import { repository } from "../support/paths.js";

describe("the links of the documents", () => {
  it("all lead to a file, a heading or an https address", () => {
    assert.deepEqual(brokenLinks(repository), []);
  });

  it("are found broken if a file or a heading is missing", async () => {
    const root = await mkdtemp(join(tmpdir(), "links-"));
    try {
      await mkdir(join(root, "docs"));
      await mkdir(join(root, "examples/a"), { recursive: true });
      await writeFile(join(root, "examples/a/README.md"), "[j](../../docs/b.md#no)\n");
      await cp(join(repository, "LICENSE"), join(root, "LICENSE"));
      await writeFile(
        join(root, "README.md"),
        "# Name\n[a](LICENSE) [b](docs/a.md) [c](#name) [d](#other) [e](../x.md) [f](ftp://x) `[g](x)`\n",
      );
      await writeFile(join(root, "docs/b.md"), "## Do it: now\n[h](#do-it-now) [i](../LICENSE)\n");
      assert.deepEqual(brokenLinks(root), [
        "README.md: docs/a.md",
        "README.md: #other",
        "README.md: ../x.md",
        "README.md: ftp://x",
        "examples/a/README.md: ../../docs/b.md#no",
      ]);
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it("reach every page of docs/ from the README", () => {
    const listed = linkTargets(readDocument(repository, "README.md"));
    for (const path of documentPaths(repository)) {
      if (path.startsWith("docs/")) assert.ok(listed.includes(path), path);
    }
  });

  it("lead to images under 200 KB", () => {
    const images = documentPaths(repository).flatMap((path) =>
      linkTargets(readDocument(repository, path)).filter((target) => target.endsWith(".png")),
    );
    assert.ok(images.length > 0);
    for (const image of images) {
      const file = join(repository, "docs", image.replace(/^docs\//, ""));
      assert.ok(statSync(file).size < 200 * 1024, image);
    }
  });
});

describe("what the documents name", () => {
  const isPath =
    /^(\.ci|\.github|provider|audit|command|sdk|sandbox|tools|bench|examples|test|docs|schemas)\/[\w./-]*$/;

  for (const path of documentPaths(repository).filter((each) => each !== "CHANGELOG.md")) {
    it(`exists: files, folders and npm scripts in ${path}`, async () => {
      const text = readDocument(repository, path);
      const missing = codeSpans(text).filter(
        (span) => isPath.test(span) && !existsSync(join(repository, span)),
      );
      assert.deepEqual(missing, []);
      const { scripts } = JSON.parse(await readFile(join(repository, "package.json"), "utf8")) as {
        scripts: Record<string, string>;
      };
      for (const [, name = ""] of text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)) {
        assert.ok(Object.hasOwn(scripts, name), `npm run ${name}`);
      }
    });
  }
});
