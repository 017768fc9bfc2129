import { fstatSync, open, statSync } from "node:fs";
import { promisify } from "node:util";
import { argumentInvalid, ProjectServiceError } from "../provider/errors/projectServiceError.js";
import { displayText } from "../provider/errors/displayText.js";
import { descriptorOf } from "./filePath.js";

/** A file with what an error message says about it. */
export interface NamedFile {
  readonly file: string;
  /** What the file contains, for instance `the report`. */
  readonly content: string;
  /** The option that names the file, for instance `--output`. */
  readonly option: string;
  /**
   * Whether only the owner may read the file, even if it replaces an existing one. Devices and pipes
   * are then refused.
   */
  readonly ownerOnly?: true;
}

/** The numbers of open devices, pipes and files to which the process already writes, by their paths. */
export type OpenDevices = ReadonlyMap<string, number>;

/**
 * Opens the devices and pipes among some files, and waits for the readers of pipes. The process closes them
 * when it ends.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID`, also for a directory.
 */
export async function openDevices(files: readonly NamedFile[]): Promise<OpenDevices> {
  const devices = new Map<string, number>();
  for (const file of files) {
    try {
      const device = await openDevice(file);
      if (device !== undefined) devices.set(file.file, device);
    } catch (error) {
      throw writingFailed(file, error);
    }
  }
  return devices;
}

async function openDevice(toWrite: NamedFile): Promise<number | undefined> {
  const { file, ownerOnly } = toWrite;
  const descriptor = descriptorOf(file);
  const isFile =
    descriptor === undefined
      ? (statSync(file, { throwIfNoEntry: false })?.isFile() ?? true)
      : fstatSync(descriptor).isFile();
  if (isFile && descriptor === undefined) return undefined;
  if (ownerOnly) throw notPrivate(toWrite);
  // Opening the path of a file again would start at its beginning, and no path opens a socket, such as the
  // standard output of a process that Node starts.
  const isKept = isFile || (descriptor !== undefined && fstatSync(descriptor).isSocket());
  return isKept ? descriptor : await promisify(open)(file, "w");
}

function notPrivate({ file, content, option }: NamedFile): ProjectServiceError {
  return argumentInvalid(
    `Writing ${content} to ${displayText(file, 1000)} failed: it is not a regular file, so others may read what is written to it. Pass a file in ${option}.`,
  );
}

/** Returns an error of the file system as one that names the file. */
export function writingFailed({ file, content, option }: NamedFile, error: unknown): unknown {
  if (error instanceof ProjectServiceError) return error;
  const { code = "unknown error" } = error as NodeJS.ErrnoException;
  return argumentInvalid(
    `Writing ${content} to ${displayText(file, 1000)} failed: ${code}. Check the path in ${option}, its permissions and the free space.`,
  );
}
