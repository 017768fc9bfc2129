import { randomBytes } from "node:crypto";
import { realpathSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
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
    const advice =
      code === "EBUSY"
        ? "If the file itself is mounted, mount its folder."
        : `Check the path in ${option}, its permissions and the free space.`;
    throw argumentInvalid(`Writing ${displayText(file, 1000)} failed: ${code}. ${advice}`);
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

function replaceFile(file: string, text: string, ownerOnly: boolean): void {
  const earlier = statOf(file);
  const target = earlier === undefined ? file : realpathSync(file);
  // The name begins with that of the file, so that a .gitignore or a trap of a shell can cover both.
  const temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  const mode = ownerOnly ? 0o600 : earlier && earlier.mode & 0o777;
  // A file has its mode from the start. A later chmod of its path could reach another file.
  const umask = mode === undefined ? undefined : process.umask(0);
  try {
    writeFileSync(temporary, text, { flag: "wx", mode: mode ?? 0o666 });
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    if (umask !== undefined) process.umask(umask);
  }
}

/** Returns undefined if there is no such file, or nobody may see it. */
function statOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}
