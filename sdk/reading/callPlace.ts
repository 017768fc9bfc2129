/* Where the program called this package, for errors. A stack trace knows that only while the call runs. */
import { isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { waitForRead } from "./inlineProgram.js";

/**
 * Runs the checks of a call. If they throw, an inline program fails before the engine deletes anything, and the
 * error has the place of the call.
 *
 * @param call an error that was created in the call.
 */
export function checkCall<T>(task: () => T, call = new Error()): T {
  waitForRead(Promise.resolve());
  try {
    return task();
  } catch (error) {
    throw error instanceof ProjectServiceError ? placedError(error, call) : error;
  }
}

/**
 * Adds the place of the call to an error about its arguments or about one project. Errors about the service as a
 * whole stay as they are, because several calls share them.
 *
 * @param call an error that was created in the call. Its frames may not contain the program.
 */
export function placedError(error: ProjectServiceError, call = new Error()): ProjectServiceError {
  const { code, message, projectId } = error;
  const isAboutCall = ["ARGUMENT_INVALID", "NOT_FOUND", "AMBIGUOUS_NAME"].includes(code);
  const place = isAboutCall || projectId !== undefined ? placeOfCall(call) : undefined;
  return place === undefined
    ? error
    : new ProjectServiceError(code, `${message} (${place})`, error);
}

/**
 * Returns the place in the program that called this package, such as `index.ts:12`, relative to the
 * program's folder. Returns `undefined` if no frame of the call is in that folder.
 */
function placeOfCall({ stack = "" }: Error): string | undefined {
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
