import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { argumentInvalid, ProjectServiceError } from "../provider/errors/projectServiceError.js";
import { displayText } from "../provider/errors/displayText.js";
import { deferSignals } from "./fileLock.js";
import { targetOf } from "./filePath.js";
import { type NamedFile, type OpenDevices, writingFailed } from "./openDevices.js";
import { writeWhole } from "./writeWhole.js";

/** A file to write. */
export interface FileToWrite extends NamedFile {
  readonly text: string;
}

/**
 * Writes files, all or none of them as far as a file system allows it.
 *
 * All texts go into new files in the same folders first. They replace the old ones when all are written, so
 * each file contains either its complete earlier text or its complete new one. A symbolic link stays, and its
 * target is replaced. A file that cannot be replaced is written in place. Devices and pipes come last. If
 * anything fails, the files get back what they were.
 *
 * No signal and no timer ends the process in between, because nothing here is asynchronous. Only if it is
 * killed, files next to the others may stay behind, and a file that is written in place may be cut.
 *
 * This is own code because `write-file-atomic` 7 renames a truncated file if the disk is full.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` that names the file and the error of the file system.
 */
export function writeFiles(files: readonly FileToWrite[], devices: OpenDevices): void {
  deferSignals();
  const staged: StagedFile[] = [];
  const undos: Undo[] = [];
  try {
    for (const file of files) {
      if (!devices.has(file.file)) staged.push(naming(file, () => stage(file)));
    }
    for (const file of staged) naming(file, () => replace(file, undos));
    for (const file of files) {
      const device = devices.get(file.file);
      if (device !== undefined) naming(file, () => writeWhole(device, file.text));
    }
  } catch (error) {
    throw undone(undos, error);
  } finally {
    for (const { temporary, earlier } of staged) {
      if (temporary === undefined) continue;
      rmSync(temporary, { force: true });
      rmSync(earlier, { force: true });
    }
  }
}

/** Gives a file back what it was. */
interface Undo {
  readonly file: string;
  readonly undo: () => void;
}

interface StagedFile extends FileToWrite {
  /** The file that is replaced: the target of a link, or the file itself. */
  readonly target: string;
  readonly existing: Stats | undefined;
  /** The file with the new text. Undefined if only writing in place is possible. */
  readonly temporary: string | undefined;
  /** A second name for the earlier file, until all files are written. */
  readonly earlier: string;
}

function stage(file: FileToWrite): StagedFile {
  const target = targetOf(file.file);
  const existing = statSync(target, { throwIfNoEntry: false });
  const name = `${target}.${randomBytes(6).toString("hex")}`;
  const staged = { ...file, target, existing, earlier: `${name}.earlier.tmp` };
  try {
    return { ...staged, temporary: writeTemporary(`${name}.tmp`, file, existing) };
  } catch (error) {
    // The folder allows no new file. Only writing in place is possible.
    if (existing === undefined || file.ownerOnly || !isForbidden(error)) throw error;
    return { ...staged, temporary: undefined };
  }
}

function writeTemporary(
  temporary: string,
  { text, ownerOnly }: FileToWrite,
  existing: Stats | undefined,
): string {
  const descriptor = openSync(temporary, "wx", ownerOnly ? 0o600 : undefined);
  try {
    if (existing !== undefined && !ownerOnly) fchmodSync(descriptor, existing.mode & 0o777);
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(temporary);
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return temporary;
}

function replace(staged: StagedFile, undos: Undo[]): void {
  const { file, target, existing, temporary, earlier, ownerOnly } = staged;
  if (temporary === undefined) return overwrite(staged, undos);
  if (existing !== undefined) keep(target, earlier);
  try {
    renameSync(temporary, target);
  } catch (error) {
    // The file is a mount point, or belongs to somebody else in a folder like /tmp.
    if (existing === undefined || ownerOnly || !isForbidden(error)) throw error;
    return overwrite(staged, undos);
  }
  undos.push({
    file,
    undo: () => (existing === undefined ? rmSync(target) : renameSync(earlier, target)),
  });
}

function keep(target: string, earlier: string): void {
  try {
    linkSync(target, earlier);
  } catch {
    // A file system without hard links. If a later file fails, an error names this one.
  }
}

/** Writes a file in place. It stays open until the process ends, because its earlier text may come back. */
function overwrite({ file, target, text }: StagedFile, undos: Undo[]): void {
  const descriptor = openSync(target, "r+");
  const { atime, mtime } = fstatSync(descriptor);
  const earlier = readFileSync(descriptor);
  const undo = () => {
    replaceText(descriptor, earlier);
    try {
      futimesSync(descriptor, atime, mtime);
    } catch {
      // Only the owner may do this.
    }
  };
  undos.push({ file, undo });
  replaceText(descriptor, Buffer.from(text));
}

function replaceText(descriptor: number, text: Buffer): void {
  for (let end = 0; end < text.length;) {
    end += writeSync(descriptor, text, end, text.length - end, end);
  }
  ftruncateSync(descriptor, text.length);
  fsyncSync(descriptor);
}

/** Gives the files back what they were. Returns the error, which also names the files that stay changed. */
function undone(undos: readonly Undo[], error: unknown): unknown {
  const changed = [...undos].reverse().flatMap(({ file, undo }) => {
    try {
      undo();
      return [];
    } catch {
      return [displayText(file, 1000)];
    }
  });
  if (changed.length === 0 || !(error instanceof ProjectServiceError)) return error;
  return argumentInvalid(
    `${error.message} Some files did not get back their earlier content: ${changed.join(", ")}.`,
  );
}

function isForbidden(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return ["EACCES", "EPERM", "EBUSY", "EROFS"].includes(code);
}

/** Adds the name of the file to an error of the file system. */
function naming<T>(file: NamedFile, task: () => T): T {
  try {
    return task();
  } catch (error) {
    throw writingFailed(file, error);
  }
}
