import { realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { displayText } from "../provider/errors/displayText.js";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";

/** @throws ProjectServiceError `ARGUMENT_INVALID` if the folder in `--cwd` does not exist. */
export function requireFolder(directory: string): void {
  if (existingFile(directory)?.isDirectory() === true) return;
  throw argumentInvalid(`There is no folder ${displayText(directory, 200)}. Check --cwd.`);
}

/** Returns what is known about an existing file, and undefined if there is none or nobody may see it. */
export function existingFile(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

/** Whether a path stands for standard output. No path opens a socket, so nothing opens these paths. */
export function isStandardOutput(file: string): boolean {
  return file === "-" || file === "/dev/stdout";
}

/** Whether two paths lead to one file, also through links. */
export function isSameFile(one: string, other: string): boolean {
  if (isStandardOutput(one) || isStandardOutput(other)) {
    return isStandardOutput(one) && isStandardOutput(other);
  }
  return realPath(one) === realPath(other);
}

/** Returns the path without links. A file, and its folder, may be missing. */
export function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // It does not exist, but links may lead to its folder.
    const folder = dirname(resolve(file));
    return folder === resolve(file) ? folder : join(realPath(folder), basename(file));
  }
}
