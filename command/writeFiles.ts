import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { argumentInvalid } from "../provider/errors/argumentInvalid.js";
import { displayText } from "../provider/errors/displayText.js";
import { ProjectServiceError } from "../provider/errors/projectServiceError.js";

/** A file to write, with what its error message says. */
export interface FileToWrite {
  readonly file: string;
  readonly text: string;
  /** What the file contains, for instance `the report`. */
  readonly content: string;
  /** The option that names the file, for instance `--output`. */
  readonly option: string;
  /**
   * Whether only the owner may read the file, also if an existing one is replaced. Devices and pipes
   * are then refused.
   */
  readonly ownerOnly?: true;
}

/**
 * Writes files, all or none of them as far as a file system allows it. Each file contains either its
 * complete earlier text or its complete new one, even if the process ends early.
 *
 * All texts go into new files in the same folders first. They replace the old ones when all are
 * written. A symbolic link stays, and its target is replaced. Devices and pipes are written directly,
 * before any file is replaced.
 *
 * This is own code because `write-file-atomic` 7 renames a truncated file if the disk is full.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` that names the file and the error of the file system.
 */
export async function writeFiles(files: readonly FileToWrite[]): Promise<void> {
  const staged: StagedFile[] = [];
  try {
    for (const file of files) staged.push(await naming(file, () => stage(file)));
    const direct = staged.filter(({ temporary }) => temporary === undefined);
    const replaced = staged.filter(({ temporary }) => temporary !== undefined);
    for (const file of [...direct, ...replaced]) await naming(file, () => finish(file));
  } finally {
    for (const { temporary } of staged) {
      if (temporary !== undefined) await rm(temporary, { force: true });
    }
  }
}

interface StagedFile extends FileToWrite {
  /** The file that is replaced: the target of a link, or the file itself. */
  readonly target: string;
  /** The new text. Undefined if only a direct write is possible. */
  readonly temporary: string | undefined;
}

async function stage(toWrite: FileToWrite): Promise<StagedFile> {
  const { file, ownerOnly } = toWrite;
  const existing = await unlessMissing(stat(file));
  const isLink = (await unlessMissing(lstat(file)))?.isSymbolicLink() ?? false;
  const isRegular = existing?.isFile() ?? !isLink;
  if (!isRegular) {
    if (ownerOnly) throw notPrivate(toWrite);
    return { ...toWrite, target: file, temporary: undefined };
  }
  const target = existing === undefined ? file : await realpath(file);
  try {
    return { ...toWrite, target, temporary: await writeTemporary(target, toWrite, existing) };
  } catch (error) {
    // The folder allows no new file. Only a direct write is possible.
    if (existing === undefined || ownerOnly || !isForbidden(error)) throw error;
    return { ...toWrite, target, temporary: undefined };
  }
}

async function writeTemporary(
  target: string,
  { text, ownerOnly }: FileToWrite,
  existing: Stats | undefined,
): Promise<string> {
  const temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const handle = await open(temporary, "wx", ownerOnly ? 0o600 : undefined);
    try {
      if (existing !== undefined && !ownerOnly) await handle.chmod(existing.mode & 0o777);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return temporary;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function finish({ target, temporary, text, ownerOnly }: StagedFile): Promise<void> {
  if (temporary === undefined) return writeFile(target, text);
  try {
    await rename(temporary, target);
  } catch (error) {
    // The file is a mount point.
    if (ownerOnly || !isForbidden(error)) throw error;
    await writeFile(target, text);
  }
}

function notPrivate({ file, content, option }: FileToWrite): ProjectServiceError {
  return argumentInvalid(
    `Writing ${content} to ${displayText(file, 1000)} failed: it is not a regular file, so others may read what is written to it. Pass a file in ${option}.`,
  );
}

function isForbidden(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return ["EACCES", "EPERM", "EBUSY", "EROFS"].includes(code);
}

/** Adds the name of the file to an error of the file system. */
async function naming<T>(
  { file, content, option }: FileToWrite,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof ProjectServiceError) throw error;
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw argumentInvalid(
      `Writing ${content} to ${displayText(file, 1000)} failed: ${code}. Check the path in ${option}, its permissions and the free space.`,
    );
  }
}

async function unlessMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
