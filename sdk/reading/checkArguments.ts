import * as pulumi from "@pulumi/pulumi";
import { isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  argumentInvalid,
  checkKeys as checkKeysOfObject,
  ProjectServiceError,
  unknownKey,
} from "../../provider/errors/projectServiceError.js";
import { checkProjectId } from "../../provider/model/projectId.js";
import {
  compileMatcher,
  filterKeys,
  listKeys,
  type MatchBy,
  matchBys,
  type ProjectFilterKey,
  sortDirections,
  sortKeys,
} from "../../provider/model/selection.js";

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

/** Checks the arguments of a function that reads one project. */
export function checkProjectArguments(
  caller: Caller,
  args: object,
  otherKeys: readonly string[] = [],
): void {
  const keys = ["projectId", "name", ...otherKeys, "includeCredentials"];
  const given = checkKeys(`The arguments of ${caller.name}`, args, keys);
  const { projectId, name, includeCredentials } = given;
  if ((projectId === undefined) === (name === undefined)) {
    const present = ["projectId", "name"].filter((key) => Object.hasOwn(args, key));
    throw argumentInvalid(
      `${caller.name} needs exactly one of projectId and name.${projectId === undefined && present.length > 0 ? ` The value of ${present.join(" and ")} is undefined.` : ""}`,
    );
  }
  if (projectId !== undefined) checkText(caller, "projectId", projectId);
  if (typeof projectId === "string") checkProjectId(projectId);
  if (name !== undefined) checkText(caller, "name", name);
  checkLiteral(caller.name, "includeCredentials", includeCredentials, [true, false]);
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
  if (checkPending(caller, key, value)) return;
  if (typeof value === "string" && value !== "") return;
  throw argumentInvalid(`${key} of ${caller.name} must be a non-empty string.`);
}

/** Returns whether a value arrives later, and throws if the caller cannot wait for it. */
function checkPending(caller: Caller, place: string, value: unknown): boolean {
  if (!isPending(value)) return false;
  if (caller.takesOutputs) return true;
  throw argumentInvalid(
    `${place} of ${caller.name} must be a plain value. To pass an Output or a Promise, call ${caller.name}Output.`,
  );
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

/** Checks the arguments of a function that reads many projects. */
export function checkProjectsArguments(caller: Caller, args: object): void {
  const { name } = caller;
  const keys = ["filters", "sorts", "details", "includeCredentials", "onInaccessible"];
  const given = checkKeys(`The arguments of ${name}`, args, keys);
  const { filters, sorts, details, includeCredentials, onInaccessible } = given;
  checkLiteral(name, "details", details, [true, false]);
  checkLiteral(name, "includeCredentials", includeCredentials, [true, false]);
  checkLiteral(name, "onInaccessible", onInaccessible, ["fail", "skip"]);
  if (details !== true) {
    for (const [key, value] of Object.entries({ includeCredentials, onInaccessible })) {
      if (value !== undefined) {
        throw argumentInvalid(`${key} of ${name} needs details: true.`);
      }
    }
  }
  checkFilters(caller, filters, details === true);
  for (const [index, sort] of elementsOf("sorts", sorts)) {
    const place = `sorts[${index}]`;
    const { key, direction } = checkKeys(place, sort, ["key", "direction"]);
    checkKey(place, key, sortKeys, details === true);
    checkLiteral(place, "direction", direction, sortDirections);
  }
}

/** Checks the filters of a function or of a resource. */
export function checkFilters(caller: Caller, filters: unknown, details: boolean): void {
  for (const [index, filter] of elementsOf("filters", filters)) {
    checkFilter(caller, `filters[${index}]`, filter, details);
  }
}

function checkFilter(caller: Caller, place: string, filter: unknown, details: boolean): void {
  const known = ["key", "values", "matchBy", "all"];
  const { key, values, matchBy, all } = checkKeys(place, filter, known);
  checkKey(place, key, filterKeys, details);
  checkLiteral(place, "matchBy", matchBy, matchBys);
  checkLiteral(place, "all", all, [true, false]);
  if (checkPending(caller, `${place}.values`, values)) return;
  if (!Array.isArray(values)) {
    throw argumentInvalid(`values of ${place} must be a list, such as values: ["TYPO3"].`);
  }
  if (values.length === 0) {
    throw argumentInvalid(`values of ${place} must contain at least one value.`);
  }
  for (const [index, value] of values.entries()) {
    const valuePlace = `${place}.values[${index}]`;
    if (checkPending(caller, valuePlace, value)) continue;
    compileMatcher(valuePlace, value, key as ProjectFilterKey, matchBy as MatchBy | undefined);
  }
}

function checkKey(place: string, key: unknown, detailKeys: object, details: boolean): void {
  const known = Object.keys(details ? detailKeys : listKeys);
  if (typeof key === "string" && known.includes(key)) return;
  if (typeof key !== "string") {
    throw argumentInvalid(`${place} must have a string as key. The keys are ${known.join(", ")}.`);
  }
  if (Object.hasOwn(detailKeys, key)) {
    throw argumentInvalid(
      `${place} has the key ${key}, which needs details: true. Without details, the keys are ${known.join(", ")}.`,
    );
  }
  throw unknownKey(place, key, known);
}

function elementsOf(key: string, list: unknown): [number, unknown][] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw argumentInvalid(`${key} must be a list of objects.`);
  return [...list.entries()];
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
