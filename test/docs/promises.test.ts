import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readDocument } from "../support/documents.js";
import { repository } from "../support/paths.js";

/** The entries of test/promises.md: under the page, words of it, and the test that can break them. */
const entries = readDocument(repository, "test/promises.md")
  .split(/^## /m)
  .slice(1)
  .flatMap((section) => {
    const [page = "", ...lines] = section.split(/\n(?!  )/);
    return lines.filter(Boolean).map((line) => ({ page, entry: line }));
  });

describe("the list of promises", () => {
  it("has at most 75 entries", () => {
    assert.ok(entries.length > 20 && entries.length <= 75, `${entries.length} entries`);
  });

  for (const { page, entry } of entries) {
    const [, words = "", file = "", name = ""] =
      /^- (.+)\n {2}`([\w./]+)`(?:: (.+))?$/.exec(entry) ?? [];

    it(`names the page and the test of: ${words || entry}`, () => {
      assert.ok(words, "has words and a test");
      assert.ok(plain(readDocument(repository, page)).includes(plain(words)), page);
      assert.ok(readFileSync(join(repository, "test", file), "utf8").includes(name), name);
    });
  }
});

/** Returns the words of a text: tables and paragraphs break lines in different places. */
function plain(text: string): string {
  return text.replace(/[\s*]+/g, " ");
}
