import { fstatSync, writeFileSync } from "node:fs";

/** Prints a text. If standard output is a file on a full disk, this throws an error. */
export function printText(text: string): void {
  // Node's stdout writes a part to a full disk and reports no error.
  if (fstatSync(1).isFile()) writeFileSync(1, text);
  else process.stdout.write(text);
}
