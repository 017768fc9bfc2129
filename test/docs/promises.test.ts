import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readDocument } from "../support/documents.js";
import { repository } from "../support/paths.js";

/** The rows of test/promises.md: a sentence of a document, and the test that can break it. */
const rows = [...readDocument(repository, "test/promises.md").matchAll(/^\| ([^-].*) \|$/gm)]
  .slice(1) // the head of the table
  .map(([, row = ""]) => row.split(" | ").map((cell) => cell.trim()));

describe("the table of promises", () => {
  it("has at most 75 rows", () => {
    assert.ok(rows.length > 20 && rows.length <= 75, `${rows.length} rows`);
  });

  for (const [sentence = "", page = "", test = ""] of rows) {
    it(`names the page and the test of: ${sentence}`, () => {
      assert.ok(plain(readDocument(repository, page)).includes(plain(sentence)), page);
      const [file = "", name = ""] = test.split(": ");
      assert.ok(readFileSync(join(repository, "test", file), "utf8").includes(name), test);
    });
  }
});

/** Returns the words of a text: tables and paragraphs break lines in different places. */
function plain(text: string): string {
  return text.replace(/[\s*]+/g, " ");
}
