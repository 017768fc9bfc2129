import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ProjectServiceError } from "../../sdk/index.js";
import { repository } from "./paths.js";

/** One block of a golden file: an error, and what caused it. */
export interface ErrorCase {
  readonly name: string;
  /** What was thrown. Anything but a ProjectServiceError fails the test. */
  readonly error: unknown;
}

/**
 * Compares errors with a golden file, which has name, code, status and message of each case. With
 * `UPDATE_GOLDEN=1` in the environment, writes the file instead.
 *
 * @param file the path of the file in the repository.
 */
export function assertGolden(file: string, cases: readonly ErrorCase[]): void {
  const names = cases.map(({ name }) => name);
  assert.deepEqual([...new Set(names)], names, "each case has a name of its own");
  assertGoldenText(file, cases.map(blockOf).join("\n"));
}

/** Compares a text, in blocks with an empty line between them, with a golden file, or writes it. */
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

function blockOf({ name, error }: ErrorCase): string {
  assert.ok(error instanceof ProjectServiceError, `${name}: ${String(error)}`);
  const { code, status, message } = error;
  const codeAndStatus = [code, status].filter((part) => part !== undefined).join(" ");
  return `# ${name}\n${codeAndStatus}\n${normalized(message)}\n`;
}

/** Replaces what differs between two runs, and between two machines. */
function normalized(message: string): string {
  return message
    .replace(/(127\.0\.0\.1|localhost|\[::1\]):\d+/g, "$1:<port>")
    .replace(/ \(\w+\.test\.js:\d+\)$/, "") // the place of the call
    .replace("EAI_AGAIN", "ENOTFOUND"); // without a name server
}
