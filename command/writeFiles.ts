import { randomBytes } from "node:crypto";
import { fstatSync, readlinkSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import {
  type FileHandle,
  lstat,
  open,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { argumentInvalid } from "../provider/errors/argumentInvalid.js";
import { displayText } from "../provider/errors/displayText.js";
import { ProjectServiceError } from "../provider/errors/projectServiceError.js";

/** A file with what an error message says about it. */
interface NamedFile {
  readonly file: string;
  /** What the file contains, for instance `the report`. */
  readonly content: string;
  /** The option that names the file, for instance `--output`. */
  readonly option: string;
}

/** A file to write. */
export interface FileToWrite extends NamedFile {
  readonly text: string;
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
 * before any file is replaced, and `/dev/stdout` is what standard output is. A file that cannot be
 * replaced is written in place, and gets its earlier text back if that fails.
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
      if (temporary !== undefined) await removeTemporary(temporary);
    }
  }
}

/** Returns what is known about an existing file, and undefined if there is none or nobody may see it. */
export function existingFile(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

/** Returns the number of the open file that a path such as `/dev/stdout` stands for. */
export function descriptorOf(file: string): number | undefined {
  let path = resolve(file);
  for (let links = 0; links < 40; links++) {
    const [, number] = /^\/(?:dev|proc\/(?:self|\d+))\/fd\/(\d+)$/.exec(path) ?? [];
    if (number !== undefined) return Number(number);
    try {
      path = resolve(dirname(path), readlinkSync(path));
    } catch {
      return undefined; // no link
    }
  }
  return undefined;
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
  if (!isRegular || descriptorOf(file) !== undefined) {
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

/** The temporary files that exist. A signal that ends the process must not leave one with a password. */
const temporaries = new Set<string>();

async function writeTemporary(
  target: string,
  { text, ownerOnly }: FileToWrite,
  existing: Stats | undefined,
): Promise<string> {
  const temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  addTemporary(temporary);
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
    await removeTemporary(temporary);
    throw error;
  }
}

function addTemporary(file: string): void {
  if (temporaries.size === 0) {
    for (const signal of endingSignals) process.on(signal, endBySignal);
  }
  temporaries.add(file);
}

async function removeTemporary(file: string): Promise<void> {
  if (temporaries.has(file)) await rm(file, { force: true });
  temporaries.delete(file);
  if (temporaries.size > 0) return;
  for (const signal of endingSignals) process.off(signal, endBySignal);
}

const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function endBySignal(signal: NodeJS.Signals): void {
  for (const file of temporaries) rmSync(file, { force: true });
  for (const one of endingSignals) process.off(one, endBySignal);
  process.kill(process.pid, signal);
}

/** Runs a task while no other process runs one with the same file. */
export async function withLock<T>(toWrite: NamedFile, task: () => Promise<T>): Promise<T> {
  const target = (await unlessMissing(realpath(toWrite.file))) ?? toWrite.file;
  const lock = `${target}.lock`;
  await naming(toWrite, () => takeLock(lock));
  try {
    return await task();
  } finally {
    await removeTemporary(lock);
  }
}

const maxLockWaitMs = 30_000;

async function takeLock(lock: string): Promise<void> {
  const endMs = performance.now() + maxLockWaitMs;
  for (;;) {
    try {
      writeFileSync(lock, "", { flag: "wx" });
      return addTemporary(lock);
    } catch (error) {
      // A folder that allows no new file allows no lock.
      if (isForbidden(error)) return;
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (performance.now() > endMs) {
        throw argumentInvalid(
          `The file ${displayText(lock, 1000)} exists, so another command may be writing. If none is running, delete this file.`,
        );
      }
      await sleep(50);
    }
  }
}

async function finish(toWrite: StagedFile): Promise<void> {
  const { target, temporary, ownerOnly } = toWrite;
  if (temporary === undefined) return writeDirectly(toWrite, target);
  try {
    await rename(temporary, target);
  } catch (error) {
    // The file is a mount point.
    if (ownerOnly || !isForbidden(error)) throw error;
    await writeDirectly(toWrite, target);
  }
}

async function writeDirectly(toWrite: FileToWrite, target: string): Promise<void> {
  const descriptor = descriptorOf(target);
  // Opening its path again would start at the beginning of the file.
  if (descriptor !== undefined && fstatSync(descriptor).isFile()) {
    writeFileSync(descriptor, toWrite.text);
  } else if (descriptor !== undefined && fstatSync(descriptor).isSocket()) {
    // No path opens a socket, to which for instance Node connects a child process.
    await writeToStream(descriptor === 2 ? process.stderr : process.stdout, toWrite.text);
  } else if ((await unlessMissing(stat(target)))?.isFile() === true) {
    await overwrite(toWrite, target);
  } else {
    await writeFile(target, toWrite.text);
  }
}

function writeToStream(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Writes a file in place. If that fails, the file gets its earlier text back. */
async function overwrite(toWrite: FileToWrite, target: string): Promise<void> {
  const handle = await open(target, "r+");
  try {
    const { atime, mtime } = await handle.stat();
    const earlier = await handle.readFile();
    try {
      await replaceText(handle, Buffer.from(toWrite.text));
    } catch (error) {
      await replaceText(handle, earlier).catch(() => {
        throw incomplete(toWrite, error);
      });
      await handle.utimes(atime, mtime);
      throw error;
    }
  } finally {
    await handle.close();
  }
}

async function replaceText(handle: FileHandle, text: Buffer): Promise<void> {
  for (let end = 0; end < text.length;) {
    end += (await handle.write(text, end, text.length - end, end)).bytesWritten;
  }
  await handle.truncate(text.length);
  await handle.sync();
}

function incomplete({ file, content }: FileToWrite, error: unknown): ProjectServiceError {
  const { code = "unknown error" } = error as NodeJS.ErrnoException;
  return argumentInvalid(
    `Writing ${content} to ${displayText(file, 1000)} failed: ${code}. The file is now incomplete, and its earlier text is lost.`,
  );
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
  { file, content, option }: NamedFile,
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
