import * as pulumi from "@pulumi/pulumi";
import { ProjectServiceError } from "../provider/errors.js";
import { checkProjectId } from "../provider/projectId.js";

/** The function whose arguments are checked. */
export interface Caller {
  /** As the program calls it, for the message. */
  readonly name: string;
  /** Whether values may still be Outputs. They are checked again when they are known. */
  readonly takesOutputs: boolean;
}

/** Checks arguments. Throws ProjectServiceError `ARGUMENT_INVALID`. */
export type ArgumentCheck = (caller: Caller, args: object) => void;

/** True for a value that is not there yet. */
export function isPending(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** True for a value that is not there yet, or an object with one. */
export function isOrHoldsPending(value: unknown): boolean {
  return isPending(value) || (isPlainObject(value) && Object.values(value).some(isPending));
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isPending(value);
}

/** Refuses what is not an object or has other keys than `known`: a typo must not change an answer. */
export function checkKeys(what: string, value: unknown, known: readonly string[]): void {
  if (!isPlainObject(value)) throw argumentInvalid(`${what} must be a plain object.`);
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  throw argumentInvalid(
    `${what} cannot have ${unknown.join(", ")}. ${
      known.length === 0 ? "There are none yet." : `The keys are ${known.join(", ")}.`
    }`,
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

/** Refuses a value that is given and not one of a few: it decides the result's type, or its extent. */
export function checkLiteral(
  place: string,
  key: string,
  value: unknown,
  literals: readonly unknown[],
): void {
  if (value === undefined || literals.includes(value)) return;
  throw argumentInvalid(
    `${place} needs a literal ${literals.map((literal) => JSON.stringify(literal)).join(" or ")} as ${key}.`,
  );
}

export function checkText(caller: Caller, key: string, value: unknown): void {
  if (checkPending(caller, key, value)) return;
  if (typeof value === "string" && value !== "") return;
  throw argumentInvalid(`${caller.name} needs a string that is not empty as ${key}.`);
}

/** True for a value that is still to come; refuses it where the caller cannot wait for it. */
export function checkPending(caller: Caller, place: string, value: unknown): boolean {
  if (!isPending(value)) return false;
  if (caller.takesOutputs) return true;
  throw argumentInvalid(
    `${caller.name} needs a value that is known as ${place}. ${caller.name}Output takes Outputs.`,
  );
}

export function argumentInvalid(message: string): ProjectServiceError {
  return new ProjectServiceError("ARGUMENT_INVALID", message);
}
