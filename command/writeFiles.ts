import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { displayText } from "../provider/errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../provider/errors/projectServiceError.js";
import { existingFile, isSameFile, isStandardOutput, regularTarget } from "./filePath.js";
import { printText } from "./standardStreams.js";

/** A file with what an error message says about it. */
export interface NamedFile {
  readonly file: string;
  /** What the file contains, for instance `the report`. */
  readonly content: string;
  /** The option that names the file, for instance `--output`. */
  readonly option: string;
  /** Whether only the owner may read the file, even if it replaces another one. Then it is never printed. */
  readonly ownerOnly?: true;
}

/** A file to write. */
export interface FileToWrite extends NamedFile {
  readonly text: string;
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
export function requireRegularFile(file: NamedFile): void {
  naming(file, () => targetOf(file));
}

/** Whether GitHub shows the file as the summary of a step. Earlier commands of the step may have written to it. */
export function isStepSummary(file: string): boolean {
  const { GITHUB_STEP_SUMMARY: summary = "" } = process.env;
  return summary !== "" && isSameFile(file, summary) && existingFile(file) !== undefined;
}

/** Appends all of a text to an existing file, or nothing of it. The text starts on a line of its own. */
export function appendText(file: string, text: string): void {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_APPEND);
  try {
    const { size } = fstatSync(descriptor);
    const last = Buffer.from("\n");
    if (size > 0) readSync(descriptor, last, 0, 1, size - 1);
    try {
      writeFileSync(descriptor, last.toString() === "\n" ? text : `\n${text}`);
    } catch (error) {
      ftruncateSync(descriptor, size);
      throw error;
    }
  } finally {
    closeSync(descriptor);
  }
}

function writeFile(toWrite: FileToWrite): void {
  const target = targetOf(toWrite);
  if (isStepSummary(target)) return appendText(target, toWrite.text);
  const temporary = join(dirname(target), `.${randomBytes(6).toString("hex")}.tmp`);
  try {
    writeNew(temporary, toWrite, existingFile(target)?.mode);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeNew(file: string, { text, ownerOnly }: FileToWrite, earlierMode?: number): void {
  const descriptor = openSync(file, "wx", ownerOnly ? 0o600 : 0o666);
  try {
    if (earlierMode !== undefined && !ownerOnly) fchmodSync(descriptor, earlierMode & 0o777);
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function targetOf({ file, content, option }: NamedFile): string {
  const target = isStandardOutput(file) ? undefined : regularTarget(file);
  if (target !== undefined) return target;
  throw argumentInvalid(
    `Writing ${content} to ${displayText(file, 1000)} failed: it is not a regular file. Pass a file in ${option}.`,
  );
}

/** Adds the name of the file to an error of the file system. */
function naming<T>({ file, content, option }: NamedFile, task: () => T): T {
  try {
    return task();
  } catch (error) {
    if (error instanceof ProjectServiceError) throw error;
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw argumentInvalid(
      `Writing ${content} to ${displayText(file, 1000)} failed: ${code}. Check the path in ${option}, its permissions and the free space.`,
    );
  }
}
