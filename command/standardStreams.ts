import { fstatSync, writeFileSync } from "node:fs";
import { withProgress } from "../provider/reading/progress.js";

/** Whether a path stands for standard output. No path opens a socket, so nothing opens these paths. */
export function isStandardOutput(file: string): boolean {
  return file === "-" || file === "/dev/stdout";
}

/** Prints a text that a program may read. If standard output is a file on a full disk, this throws an error. */
export function printStdout(text: string): void {
  // Node's stdout writes a part to a full disk and reports no error.
  if (fstatSync(1).isFile()) writeFileSync(1, text);
  else process.stdout.write(text);
}

export function printStderr(lines: string): void {
  process.stderr.write(`${lines}\n`);
}

/** The distance between two lines in a log. */
const logMs = 10_000;

/**
 * Shows how far long work is: in one line of a terminal that replaces itself and is gone at the end. In a log, and in a
 * terminal that cannot do this, a line every 10 s.
 */
export function showProgressLine<T>(
  textAfter: (seconds: number) => string,
  work: () => Promise<T>,
): Promise<T> {
  if (!process.stderr.isTTY || process.env["TERM"] === "dumb") {
    return withProgress((seconds) => printStderr(textAfter(seconds)), logMs, work, logMs);
  }
  const show = (text: string) => void process.stderr.write(`\r\u001b[K${text}`);
  return withProgress((seconds) => show(textAfter(seconds)), 500, work).finally(() => show(""));
}
