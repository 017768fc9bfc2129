import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  type BigIntStats,
  chmodSync,
  existsSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { displayText } from "../provider/errors/displayText.js";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";
import { isStandardOutput, printStdout } from "./standardStreams.js";

/**
 * Writes a text to a file, or prints it if the path stands for standard output. The text goes into a new file
 * beside its place, which then replaces an earlier one. So a file has either all of its earlier text or all of
 * its new one. If the path is a link to a file, that file is replaced.
 *
 * This is own code because `write-file-atomic` 7 and 8 write once, and rename a truncated file if the disk is full.
 *
 * @param ownerOnly whether only the owner may read the file, even if it replaces another one. Then the text is
 *   never printed.
 * @param option names the file in the command line.
 * @throws ProjectServiceError `ARGUMENT_INVALID` that names the file and the error of the file system.
 */
export function writeFile(
  file: string,
  text: string,
  ownerOnly = false,
  option = "--output",
): void {
  if (isStandardOutput(file) && !ownerOnly) return printStdout(text);
  requireRegularFile(file, option);
  try {
    replaceFile(file, text, ownerOnly);
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw argumentInvalid(
      `Writing ${displayText(file, 1000)} failed: ${code}. Check the path in ${option}, its permissions and the free space.`,
    );
  }
}

/** @throws ProjectServiceError `ARGUMENT_INVALID` if a path leads to a pipe or the like, or if there is no such folder. */
export function requireRegularFile(file: string, option: string): void {
  const isOther = isStandardOutput(file) || statOf(file)?.isFile() === false;
  if (!isOther && statOf(dirname(file))?.isDirectory() === true) return;
  const problem = isOther ? "it is not a regular file" : "its folder does not exist";
  throw argumentInvalid(
    `Writing ${displayText(file, 1000)} failed: ${problem}. Pass the path of a file in ${option}.`,
  );
}

/** Returns a text that is the same for two paths of one file. Some file systems ignore the case of names. */
export function fileIdentity(file: string): string {
  if (isStandardOutput(file)) return "-";
  const { dev, ino } = statOf(file) ?? {};
  if (ino) return `${dev}:${ino}`;
  const folder = resolve(dirname(file));
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(file)).toLowerCase();
}

function replaceFile(file: string, text: string, ownerOnly: boolean): void {
  const earlier = statOf(file);
  // GitHub shows this file. Earlier commands of the step may have written to it.
  if (earlier !== undefined && file === process.env["GITHUB_STEP_SUMMARY"]) {
    return appendFileSync(file, `\n${text}`);
  }
  const target = earlier === undefined ? newTarget(file) : realpathSync(file);
  // The name begins with that of the file, so that a .gitignore or a trap of a shell can cover both.
  const temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  const mode = ownerOnly ? 0o600 : earlier && Number(earlier.mode) & 0o777;
  endAfterwards();
  try {
    // A private file is private from the start. The umask can only take permissions away.
    writeFileSync(temporary, text, { flag: "wx", mode: mode ?? 0o666 });
    if (mode !== undefined) setMode(temporary, mode);
    rename(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Returns the path of a file that does not exist yet. A link may lead to it. */
function newTarget(file: string): string {
  try {
    return resolve(dirname(file), readlinkSync(file));
  } catch {
    return file;
  }
}

function setMode(file: string, mode: number): void {
  try {
    chmodSync(file, mode);
  } catch (error) {
    // A share of Windows refuses it. Only a file that others may not read must have its mode.
    if ((mode & 0o077) === 0) throw error;
  }
}

/** On Windows, a virus scanner or an indexer can have the file open for a moment. */
function rename(from: string, to: string): void {
  for (let repeats = 20; ; repeats--) {
    try {
      return renameSync(from, to);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      const isOpen = process.platform === "win32" && ["EACCES", "EBUSY", "EPERM"].includes(code);
      if (!isOpen || repeats === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}

/**
 * Lets a signal end the process only after the synchronous code that follows. Otherwise it could leave a temporary file
 * with credentials. Node calls the listeners in the next poll phase, which can be after one `setImmediate`:
 * https://nodejs.org/en/learn/asynchronous-work/event-loop-timers-and-nexttick
 */
function endAfterwards(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.off(signal, endBy).once(signal, endBy);
    setImmediate(() => setImmediate(() => process.off(signal, endBy)));
  }
}

function endBy(signal: NodeJS.Signals): void {
  process.kill(process.pid, signal);
}

/** Returns undefined if there is no such file, or nobody may see it. */
function statOf(file: string): BigIntStats | undefined {
  try {
    // The numbers of files on Windows do not fit others.
    return statSync(file, { bigint: true });
  } catch {
    return undefined;
  }
}
