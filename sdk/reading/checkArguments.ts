import * as pulumi from "@pulumi/pulumi";
import { argumentInvalid } from "../../provider/errors/argumentInvalid.js";
import { displayList } from "../../provider/errors/displayText.js";
import { checkProjectId } from "../../provider/model/projectId.js";

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

/** Accepts an object with `known` keys only, so that a typing error cannot change a result silently. */
export function checkKeys(what: string, value: unknown, known: readonly string[]): void {
  if (!isPlainObject(value)) throw argumentInvalid(`${what} must be a plain object.`);
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  throw argumentInvalid(
    `${what} cannot contain the key ${displayList(unknown)}. The keys are ${known.join(", ")}.`,
  );
}

/** Checks the arguments of a function that reads one project. */
export function checkProjectArguments(
  caller: Caller,
  args: object,
  otherKeys: readonly string[] = [],
): void {
  checkKeys(`The arguments of ${caller.name}`, args, [
    "projectId",
    "name",
    ...otherKeys,
    "includeCredentials",
  ]);
  const { projectId, name, includeCredentials } = args as Record<string, unknown>;
  if ((projectId === undefined) === (name === undefined)) {
    throw argumentInvalid(`${caller.name} needs exactly one of projectId and name.`);
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
export function checkPending(caller: Caller, place: string, value: unknown): boolean {
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
