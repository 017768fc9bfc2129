import { randomBytes } from "node:crypto";
import { lstat, open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import type { Stats } from "node:fs";

/**
 * Writes a report atomically: the file contains either the complete earlier report or the complete new
 * one, even if the process ends early. The text goes into a new file in the same folder, which then
 * replaces the old one. A symbolic link stays, and its target is replaced. Devices and pipes are
 * written directly.
 *
 * This is own code because `write-file-atomic` 7 renames a truncated file if the disk is full.
 *
 * @throws the error of the file system.
 */
export async function writeReport(file: string, text: string): Promise<void> {
  const existing = await unlessMissing(stat(file));
  const isLink = (await unlessMissing(lstat(file)))?.isSymbolicLink() ?? false;
  const isRegular = existing?.isFile() ?? !isLink;
  if (!isRegular) return writeFile(file, text);
  const target = existing === undefined ? file : await realpath(file);
  try {
    await replace(target, text, existing);
  } catch (error) {
    // The folder allows no new file, or the file is a mount point. Only a direct write is possible.
    const { code = "" } = error as NodeJS.ErrnoException;
    if (existing === undefined || !["EACCES", "EPERM", "EBUSY", "EROFS"].includes(code))
      throw error;
    await writeFile(target, text);
  }
}

async function replace(target: string, text: string, existing: Stats | undefined): Promise<void> {
  const temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const handle = await open(temporary, "wx");
    try {
      if (existing !== undefined) await handle.chmod(existing.mode & 0o777);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
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
