/* Errors and warnings as the program gets them: with the place of its call, and each of them once. */
import { isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as pulumi from "@pulumi/pulumi";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { waitForRead } from "./inlineProgram.js";

/**
 * Runs the checks of a call. If they throw, an inline program fails before the engine deletes anything.
 *
 * @param call an error that was created in the call.
 */
export function checkCall<T>(task: () => T, call = new Error()): T {
  waitForRead(Promise.resolve());
  try {
    return task();
  } catch (error) {
    throw errorOfProgram(error, call);
  }
}

/**
 * Returns one of our errors as this program gets it. If it is about arguments of the call or about one project, it has
 * the place of the call. Errors about the service as a whole have none, because several calls share them.
 *
 * Pulumi prints each error object once, and does not notice one that another program of the process has already
 * reported. So a program gets an object of its own, and the same one for the same message.
 *
 * @param call an error that was created in the call. Its frames may not contain the program.
 */
export function errorOfProgram(error: unknown, call = new Error()): unknown {
  if (!(error instanceof ProjectServiceError)) return error;
  const { code, projectId } = error;
  const isAboutCall = ["ARGUMENT_INVALID", "NOT_FOUND", "AMBIGUOUS_NAME"].includes(code);
  const place = isAboutCall || projectId !== undefined ? placeOfCall(call) : undefined;
  const message = place === undefined ? error.message : `${error.message} (${place})`;
  const program = pulumi.runtime.getStackResource();
  const create = () => new ProjectServiceError(code, message, error);
  if (!process.listeners("rejectionHandled").includes(warnOfForeign)) {
    process.on("rejectionHandled", warnOfForeign);
  }
  return program === undefined ? create() : onceIn(program, `error: ${message}`, create);
}

/**
 * Pulumi waits for the outputs of a stack one after another. If one fails before its turn, Pulumi reports the error, and
 * handles it when its turn comes. Node would then warn of that, unless there is a listener, which has to warn of the
 * errors of others itself: https://nodejs.org/docs/latest-v20.x/api/process.html#event-rejectionhandled
 */
function warnOfForeign(promise: Promise<unknown>): void {
  promise.catch((error: unknown) => {
    // Also an error of another copy of this package.
    if (error instanceof Error && error.name.startsWith("ProjectServiceError")) return;
    process.emitWarning(
      "Promise rejection was handled asynchronously",
      "PromiseRejectionHandledWarning",
    );
  });
}

/** Warns once in each run of a program. */
export function warnOnce(warning: string): void {
  const program = pulumi.runtime.getStackResource() ?? outsideOfPrograms;
  void onceIn(program, `warning: ${warning}`, () => pulumi.log.warn(warning));
}

const outsideOfPrograms = {};

/** The errors and warnings that each program has got, by their kind and text. */
const results = new WeakMap<object, Map<string, unknown>>();

/** Returns the result that a program has for a text, or creates it. */
function onceIn<T>(program: object, text: string, create: () => T): T {
  const known = results.get(program) ?? new Map<string, unknown>();
  results.set(program, known);
  if (!known.has(text)) known.set(text, create());
  return known.get(text) as T;
}

/** Returns the place of a call in the program, such as `index.ts:12`. Undefined if no frame is in its folder. */
function placeOfCall({ stack }: Error): string | undefined {
  // A program can set Error.prepareStackTrace, and then a stack is anything.
  const frames = String(stack).matchAll(/(?:\(|at (?:async )?)([^()\n]+):(\d+):\d+\)?$/gm);
  for (const [, location = "", lineNumber] of frames) {
    const file = location.startsWith("file:///") ? fileURLToPath(location) : location;
    const place = relative(process.cwd(), file);
    const isInProgram = isAbsolute(file) && !isAbsolute(place) && !/^\.\.|node_modules/.test(place);
    if (!isInProgram || file.startsWith(packageFolder)) continue;
    // Loaders of ES modules give the lines of what they compiled.
    return /^file:.*ts$/.test(location) ? place : `${place}:${lineNumber}`;
  }
  return undefined;
}

/** The folder with the compiled files of this package. */
const packageFolder = resolve(__dirname, "../..");
