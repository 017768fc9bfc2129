import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
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
  return ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].includes(file);
}

/** Whether two paths lead to one place, also through links. */
export function isSameFile(one: string, other: string): boolean {
  return placeOf(one) === placeOf(other);
}

/**
 * Returns the path to which links lead, in its real folder. A file may be missing there, but not its folder.
 * Undefined for everything that is no regular file, such as a folder, a pipe, or an open file in `/proc`.
 */
export function regularTarget(file: string): string | undefined {
  let path = file;
  for (let links = 0; links < 40; links++) {
    const folder = realpathSync.native(dirname(path));
    if (folder.startsWith("/proc/")) return undefined;
    const real = join(folder, basename(path));
    const stats = lstatSync(real, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink() !== true) return (stats?.isFile() ?? true) ? real : undefined;
    const link = readlinkSync(real);
    path = isAbsolute(link) ? link : `${folder}/${link}`;
  }
  return undefined;
}

function placeOf(file: string): string {
  if (isStandardOutput(file)) return "-";
  try {
    return regularTarget(file) ?? resolve(file);
  } catch {
    return resolve(file); // its folder does not exist
  }
}
