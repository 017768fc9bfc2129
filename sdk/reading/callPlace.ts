import { isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";

/** Adds the place of the call, in which `call` was created, to an error about its arguments. */
export function withPlace<T>(call: Error, task: () => T): T {
  try {
    return task();
  } catch (error) {
    if (!(error instanceof ProjectServiceError) || error.code !== "ARGUMENT_INVALID") throw error;
    throw placedError(call, error);
  }
}

/** Returns an error with a prefix and the place of the call, if it is known. */
export function placedError(
  call: Error,
  error: ProjectServiceError,
  prefix = "",
): ProjectServiceError {
  const place = callPlace(call);
  const suffix = place === undefined ? "" : ` (${place})`;
  return new ProjectServiceError(error.code, `${prefix}${error.message}${suffix}`, error);
}

/**
 * Returns the place in the program that called this package, such as `index.ts:12`, relative to the
 * program's folder. Returns `undefined` if no frame of the call is in that folder.
 *
 * @param call an error that was created in the call.
 */
export function callPlace({ stack = "" }: Error): string | undefined {
  const frames = stack.matchAll(/(?:\(|at (?:async )?)([^()\n]+):(\d+):\d+\)?$/gm);
  for (const [, location = "", lineNumber] of frames) {
    const file = location.startsWith("file:") ? fileURLToPath(location) : location;
    const place = relative(process.cwd(), file);
    const isInProgram = isAbsolute(file) && !isAbsolute(place) && !/^\.\.|node_modules/.test(place);
    if (isInProgram && !file.startsWith(packageFolder)) return `${place}:${lineNumber}`;
  }
  return undefined;
}

/** The folder with the compiled files of this package. */
const packageFolder = resolve(__dirname, "../..");
