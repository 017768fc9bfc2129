import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./paths.js";

/**
 * Compares a text, in blocks with an empty line between them, with a golden file. With `UPDATE_GOLDEN=1` in the
 * environment, writes the file instead.
 *
 * @param file the path of the file in the repository.
 */
export function assertGoldenText(file: string, actual: string): void {
  const path = join(repository, file);
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(path, actual);
  const expected = readFileSync(path, "utf8");
  if (actual === expected) return;
  // Only the first differences: of a long text, the reporter would show the start.
  assert.fail(
    `The text is not that of ${file}. If they should change, run the test with UPDATE_GOLDEN=1, and read the difference of the file.\n\n${differences(actual, expected)}`,
  );
}

function differences(actual: string, expected: string): string {
  const blocks = [actual, expected].map((text) => text.split("\n\n"));
  const [added = [], removed = []] = blocks.map((own, side) =>
    own.filter((block) => !blocks[1 - side]?.includes(block)),
  );
  const shown = [
    ...removed.slice(0, 3).map((block) => `- ${block}`),
    ...added.slice(0, 3).map((block) => `+ ${block}`),
  ];
  return shown.length === 0 ? "The order of the blocks differs." : shown.join("\n");
}
