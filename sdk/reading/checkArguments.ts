import * as pulumi from "@pulumi/pulumi";
import { isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  argumentInvalid,
  checkKeys as checkKeysOfObject,
  ProjectServiceError,
} from "../../provider/errors/projectServiceError.js";
import { checkProjectId } from "../../provider/model/projectId.js";
import { appliesToListForm, type ProjectFilter } from "../../provider/model/selection.js";
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

/** Accepts an object with `known` keys only. A promise has none, so it must not pass for an object. */
export function checkKeys(
  what: string,
  value: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  if (isPending(value)) throw argumentInvalid(`${what} must be a plain object.`);
  return checkKeysOfObject(what, value, known);
}

type SchemaName = Parameters<typeof validation.checkArgument>[0];

/**
 * Checks arguments or options against a schema.
 *
 * @param what what the program passed: `The argument`.
 */
export function checkShape<T>(
  { name, takesOutputs }: Caller,
  schema: SchemaName,
  value: unknown,
  what = "The argument",
): T {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded at the first call
  const { checkArgument } = require("../../provider/wire/validate.js") as typeof validation;
  const pending: string[] = [];
  const plain = withoutPending(value, "", pending);
  checkArgument(schema, plain, `${what} of ${name}`, (path) => `${path} of ${name}`);
  if (pending.length === 0 || takesOutputs) return value as T;
  throw argumentInvalid(
    `${pending[0]} of ${name} must be a plain value. To pass an Output or a Promise, call ${name}Output.`,
  );
}

/** No schema looks deeper: `filters`, its elements, `values`, its elements. */
const maxDepth = 4;

/**
 * Copies a value for a check that must not read properties of Outputs. Outputs and Promises become null,
 * which schemas accept where a value may arrive later. Null itself becomes NaN, which none accepts.
 *
 * @param pending receives the places of Outputs and Promises.
 */
function withoutPending(value: unknown, place: string, pending: string[], depth = 0): unknown {
  if (isPending(value)) {
    pending.push(place);
    return null;
  }
  if (value === null) return NaN;
  if (typeof value !== "object" || depth === maxDepth) return value;
  if (Array.isArray(value)) {
    return value.map((element, index) =>
      withoutPending(element, `${place}[${index}]`, pending, depth + 1),
    );
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      withoutPending(member, place === "" ? key : `${place}.${key}`, pending, depth + 1),
    ]),
  );
}

/** Checks the arguments of a function that reads one project. */
export function checkProjectArguments(
  caller: Caller,
  args: object,
  schema: SchemaName = "isGetProject",
): void {
  const { projectId, name } = checkShape<Record<string, unknown>>(caller, schema, args);
  if ((projectId === undefined) === (name === undefined)) {
    const present = ["projectId", "name"].filter((key) => Object.hasOwn(args, key));
    throw argumentInvalid(
      `${caller.name} needs exactly one of projectId and name.${projectId === undefined && present.length > 0 ? ` The value of ${present.join(" and ")} is undefined.` : ""}`,
    );
  }
  if (typeof projectId === "string") checkProjectId(projectId);
}

/** Checks the arguments of a function that reads many projects. */
export function checkProjectsArguments(caller: Caller, args: object): void {
  const given = checkShape<Record<string, unknown>>(caller, "isGetProjects", args);
  const { filters, details, includeCredentials, onInaccessible } = given;
  if (details === true) return;
  const needing = Object.entries({ includeCredentials, onInaccessible })
    .filter(([, value]) => value !== undefined)
    .map(([key]) => key);
  for (const [index, filter] of ((filters ?? []) as ProjectFilter[]).entries()) {
    if (!appliesToListForm(filter)) needing.push(`filters[${index}] with the key ${filter.key}`);
  }
  if (needing.length === 0) return;
  throw argumentInvalid(`${needing[0]} of ${caller.name} needs details: true.`);
}

/** Checks the filters of a resource. */
export function checkFilters(caller: Caller, filters: unknown): void {
  checkShape(caller, "isRecordScope", { filters });
}

/** Checks the fields that a resource records. */
export function checkFields(caller: Caller, fields: unknown): void {
  checkShape(caller, "isRecordScope", { fields });
}

/** Accepts `undefined` and the given literals. The value decides the type or the size of the result. */
export function checkLiteral(
  place: string,
  key: string,
  value: unknown,
  literals: readonly unknown[],
): void {
  if (value === undefined || literals.includes(value)) return;
  throw argumentInvalid(
    `${key} of ${place} must be the literal ${literals.map((literal) => JSON.stringify(literal)).join(" or ")}.`,
  );
}

export function checkText(caller: Caller, key: string, value: unknown): void {
  if (typeof value === "string" && value !== "") return;
  throw argumentInvalid(`${key} of ${caller.name} must be a non-empty string.`);
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

/** Returns an error about a wrong argument. Its message ends with the place of the call, if it is known. */
export function argumentInvalidAt(call: Error, message: string): ProjectServiceError {
  const place = callPlace(call);
  return argumentInvalid(place === undefined ? message : `${message} (${place})`);
}

/** Adds the place of the call, in which `call` was created, to an error about its arguments. */
export function withPlace<T>(call: Error, task: () => T): T {
  try {
    return task();
  } catch (error) {
    if (!(error instanceof ProjectServiceError) || error.code !== "ARGUMENT_INVALID") throw error;
    throw argumentInvalidAt(call, error.message);
  }
}

/**
 * Returns the place in the program that called this package, such as `index.ts:12`, relative to the
 * program's folder. Returns `undefined` if no frame of the call is in that folder.
 *
 * @param call an error that was created in the call.
 */
export function callPlace({ stack = "" }: Error): string | undefined {
  for (const line of stack.split("\n").slice(1)) {
    const [, location = "", lineNumber] =
      /(?:\(|at (?:async )?)([^()]+):(\d+):\d+\)?$/.exec(line) ?? [];
    const file = location.startsWith("file:") ? fileURLToPath(location) : location;
    if (!isAbsolute(file)) continue;
    const place = relative(process.cwd(), file);
    const isInProgram = !isAbsolute(place) && !/^\.\.|node_modules/.test(place);
    if (isInProgram && !file.startsWith(packageFolder)) return `${place}:${lineNumber}`;
  }
  return undefined;
}

/** The folder with the compiled files of this package. */
const packageFolder = resolve(__dirname, "../..");
