import {
  existsSync,
  fstatSync,
  lstatSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";
import { displayText } from "../provider/errors/displayText.js";

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

/** Returns the path to which links lead. The file may be missing there, but not its folder. */
export function targetOf(file: string): string {
  if (existingFile(file) !== undefined) return realpathSync.native(file);
  return [...linksFrom(file)].at(-1) ?? file;
}

/**
 * Returns a name of the place to which a path leads, which is the same for all paths to it. It stays the
 * same when the file is created or replaced.
 */
export function placeOf(file: string): string {
  try {
    const target = targetOf(file);
    const { dev, ino } = statSync(dirname(target));
    return `${dev}:${ino}:${basename(target)}`;
  } catch {
    return resolve(file); // its folder does not exist either
  }
}

/** Whether two paths lead to one file, also through links and mount points. */
export function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map(existingFile);
  if (first === undefined || second === undefined) return placeOf(one) === placeOf(other);
  return isSame(first, second);
}

/**
 * Returns the number of the open file that a path stands for: `/dev/stdout` and its like, and the file to
 * which standard output or standard error goes.
 */
export function descriptorOf(file: string): number | undefined {
  const existing = existingFile(file);
  return (
    numberIn(file) ??
    (existing?.isFile() === true
      ? [1, 2].find((descriptor) => isSame(fstatSync(descriptor), existing))
      : undefined)
  );
}

/** Returns the number in `/dev/fd/1`, `/proc/self/fd/1` and every link to them. */
function numberIn(file: string): number | undefined {
  const folders = ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"]
    .filter((folder) => existsSync(folder))
    .map((folder) => realpathSync.native(folder));
  try {
    for (const path of linksFrom(file)) {
      const isNumber = /^\d+$/.test(basename(path));
      if (isNumber && folders.includes(dirname(path))) return Number(basename(path));
    }
  } catch {
    // its folder does not exist
  }
  return undefined;
}

/** Yields the path itself and the paths to which links lead one after the other, each in its real folder. */
function* linksFrom(file: string): Generator<string> {
  let path = file;
  for (let links = 0; links < 40; links++) {
    const folder = realpathSync.native(dirname(path));
    const real = join(folder, basename(path));
    yield real;
    if (lstatSync(real, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
    const link = readlinkSync(real);
    path = isAbsolute(link) ? link : `${folder}/${link}`;
  }
}

function isSame(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}
