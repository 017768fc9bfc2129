import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { displayText } from "../provider/errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../provider/errors/projectServiceError.js";
import { existingFile, isSameFile, isStandardOutput, realPath } from "./filePath.js";
import { printText } from "./standardStreams.js";

/** A file with what an error message says about it. */
export interface NamedFile {
  readonly file: string;
  /** What the file contains, for instance `the report`. */
  readonly content: string;
  /** The option that names the file, for instance `--output`. */
  readonly option: string;
}

/** A file to write. */
export interface FileToWrite extends NamedFile {
  readonly text: string;
  /** Whether only the owner may read the file, even if it replaces another one. Then it is never printed. */
  readonly ownerOnly?: true;
}

/**
 * Writes files one after the other, and prints those that stand for standard output. A text goes into a new
 * file beside its place, which then replaces an earlier one. So a file has either all of its earlier text or
 * all of its new one. A link stays, and its target is replaced.
 *
 * This is own code because `write-file-atomic` 7 renames a truncated file if the disk is full.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` that names the file and the error of the file system.
 */
export function writeFiles(files: readonly FileToWrite[]): void {
  for (const file of files) {
    if (isStandardOutput(file.file) && !file.ownerOnly) printText(file.text);
    else naming(file, () => writeFile(file));
  }
}

/** @throws ProjectServiceError `ARGUMENT_INVALID` if a path leads to something else, such as a pipe. */
export function requireRegularFile({ file, content, option }: NamedFile): void {
  if (!isStandardOutput(file) && existingFile(file)?.isFile() !== false) return;
  throw argumentInvalid(
    `Writing ${content} to ${displayText(file, 1000)} failed: it is not a regular file. Pass a file in ${option}.`,
  );
}

/** Appends a text to an existing file. The text starts on a line of its own. */
function appendText(file: string, text: string): void {
  const last = readFileSync(file, "utf8").at(-1) ?? "\n";
  appendFileSync(file, last === "\n" ? text : `\n${text}`);
}

function writeFile(toWrite: FileToWrite): void {
  requireRegularFile(toWrite);
  const { file, text, ownerOnly } = toWrite;
  const target = realPath(file);
  const earlier = existingFile(target);
  // GitHub shows this file. Earlier commands of the step may have written to it.
  const { GITHUB_STEP_SUMMARY: summary = "" } = process.env;
  if (earlier !== undefined && isSameFile(file, summary)) return appendText(target, text);
  const temporary = join(dirname(target), `.${randomBytes(6).toString("hex")}.tmp`);
  try {
    writeFileSync(temporary, text, { flag: "wx", mode: ownerOnly ? 0o600 : 0o666, flush: true });
    if (earlier !== undefined && !ownerOnly) chmodSync(temporary, earlier.mode & 0o777);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Adds the name of the file to an error of the file system. */
function naming({ file, content, option }: NamedFile, task: () => void): void {
  try {
    task();
  } catch (error) {
    if (error instanceof ProjectServiceError) throw error;
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw argumentInvalid(
      `Writing ${content} to ${displayText(file, 1000)} failed: ${code}. Check the path in ${option}, its permissions and the free space.`,
    );
  }
}
