import * as pulumi from "@pulumi/pulumi";
import { isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { checkProjectId } from "../../provider/model/projectId.js";
import type * as validation from "../../provider/wire/validate.js";

/** The function that the program called, whose arguments are checked. */
export interface Caller {
  readonly name: string;
  /** Whether values may still be Outputs. The caller checks them again when they are known. */
  readonly takesOutputs: boolean;
}

/** Checks arguments. Throws ProjectServiceError `ARGUMENT_INVALID`. */
export type ArgumentCheck = (caller: Caller, args: object) => void;

/** Whether a value arrives later. */
export function isPending(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** Whether a value, or a property of it, arrives later. */
export function isOrContainsPending(value: unknown): boolean {
  return isPending(value) || (isPlainObject(value) && Object.values(value).some(isPending));
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isPending(value);
}

type SchemaName = Parameters<typeof validation.checkArgument>[0];

/**
 * Checks arguments or options against a schema, before a property of an Output is read.
 *
 * @param what what the program passed: `The argument`.
 */
export function checkShape(
  { name, takesOutputs }: Caller,
  schema: SchemaName,
  value: object,
  what = "The argument",
): void {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded at the first call
  const validate = require("../../provider/wire/validate.js") as typeof validation;
  const pending: (readonly string[])[] = [];
  const known = withoutPending(value, [], pending);
  validate.checkArgument(schema, known, `${what} of ${name}`, (path) => `${path} of ${name}`);
  const [first] = pending;
  if (first === undefined || takesOutputs) return;
  throw argumentInvalid(
    `${validate.jsonPath(first)} of ${name} must be a plain value. To pass an Output or a Promise, call ${name}Output.`,
  );
}

/** No schema looks deeper: `filters`, its elements, `values`, its elements. */
const maxDepth = 4;

/**
 * Copies a value. Outputs and Promises become null, which schemas accept where a value may arrive later.
 * Null itself becomes NaN, which none accepts.
 *
 * @param pending receives the paths of Outputs and Promises.
 */
function withoutPending(
  value: unknown,
  path: readonly string[],
  pending: (readonly string[])[],
): unknown {
  if (isPending(value)) {
    pending.push(path);
    return null;
  }
  if (value === null) return NaN;
  if (typeof value !== "object" || path.length === maxDepth) return value;
  const isList = Array.isArray(value);
  // A spread turns the gaps of a list into elements.
  const members = Object.entries(isList ? [...(value as unknown[])] : value).map(
    ([key, member]) => [key, withoutPending(member, [...path, key], pending)] as const,
  );
  return isList ? members.map(([, member]) => member) : Object.fromEntries(members);
}

/** Checks the arguments of a function that reads one project. */
export function checkProjectArguments(
  caller: Caller,
  args: object,
  schema: SchemaName = "isGetProject",
): void {
  checkShape(caller, schema, args);
  const { projectId, name } = args as Readonly<Record<string, unknown>>;
  if (typeof projectId === "string") checkProjectId(projectId);
  if ((projectId === undefined) !== (name === undefined)) return;
  const given = Object.keys(args).filter((key) => key === "projectId" || key === "name");
  const isEmpty = projectId === undefined && given.length > 0;
  const hint = isEmpty ? ` The value of ${given.join(" and ")} is undefined.` : "";
  throw argumentInvalid(`${caller.name} needs exactly one of projectId and name.${hint}`);
}

/**
 * Refuses `connection` where it does not belong. There it would have no effect, and the default
 * service would be read.
 */
export function refuseConnection(owner: string, value: unknown, place: string): void {
  if (!isPlainObject(value) || !Object.hasOwn(value, "connection")) return;
  throw argumentInvalid(`connection does not belong here. Pass it in the ${place} of ${owner}.`);
}

/** Checks the `connection` of a resource, which cannot be an object. */
export function checkNamespace(resource: string, connection: unknown): void {
  if (connection === undefined || typeof connection === "string") return;
  throw argumentInvalid(
    `connection of ${resource} must be a config namespace, not an object of settings: pulumi refresh does not run the program, and uses the config that Pulumi keeps.`,
  );
}

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
