/* Errors and warnings as the program gets them: with the place of its call, and each of them once. */
import * as pulumi from "@pulumi/pulumi";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { waitFor } from "./inlineProgram.js";

/** A call of the program. */
export interface Call {
  readonly stack?: unknown;
}

/** @param called the function or the class that the program called. */
export function callOf(called: Parameters<typeof Error.captureStackTrace>[1]): Call {
  const call = {};
  Error.captureStackTrace(call, called);
  return call;
}

/** Runs the checks of a call. If they throw, an inline program fails before the engine deletes anything. */
export function checkCall<T>(call: Call, task: () => T): T {
  waitFor(Promise.resolve());
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
 */
export function errorOfProgram(error: unknown, call: Call = {}): unknown {
  if (!(error instanceof ProjectServiceError)) return error;
  const { code, projectId } = error;
  const isAboutCall = ["ARGUMENT_INVALID", "NOT_FOUND", "AMBIGUOUS_NAME"].includes(code);
  const place = isAboutCall || projectId !== undefined ? placeOf(call) : undefined;
  const message = place === undefined ? error.message : `${error.message} (${place})`;
  const program = pulumi.runtime.getStackResource();
  const create = () => new ProjectServiceError(code, message, error);
  return program === undefined ? create() : onceIn(program, `error: ${message}`, create);
}

/** Returns where a call is, such as `index.ts:12`. */
function placeOf({ stack }: Call): string | undefined {
  // A program can set Error.prepareStackTrace, and then a stack is anything.
  const frame = /(?:\(|at )(?!node:)(file:)?[^()\n]*[/\\]([^()\n/\\]+):(\d+):\d+\)?$/m.exec(
    String(stack),
  );
  if (frame === null) return undefined;
  const [, isModule, file, line] = frame;
  // Loaders of ES modules give the lines of what they compiled.
  return isModule && file!.endsWith("ts") ? file : `${file}:${line}`;
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
