import * as pulumi from "@pulumi/pulumi";
import { ProjectServiceError } from "../provider/errors.js";
import { checkProjectId } from "../provider/projectId.js";

/** The arguments that name a project, and what is wanted of it; in Output form, with Inputs. */
export interface ProjectArguments {
  projectId?: pulumi.Input<string> | undefined;
  name?: pulumi.Input<string> | undefined;
  includeCredentials?: boolean | undefined;
}

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

/**
 * Checks the arguments of what reads one project. Those of an Output form (its name ends so) and of
 * a snapshot may be pending; they are checked again when they are there.
 */
export function checkProjectArguments(
  caller: string,
  args: ProjectArguments,
  otherKeys: readonly string[] = [],
): void {
  checkKeys(`The arguments of ${caller}`, args, [
    "projectId",
    "name",
    ...otherKeys,
    "includeCredentials",
  ]);
  const { projectId, name, includeCredentials } = args;
  if ((projectId === undefined) === (name === undefined)) {
    throw argumentInvalid(`${caller} needs exactly one of projectId and name.`);
  }
  if (projectId !== undefined) checkText(caller, "projectId", projectId);
  if (typeof projectId === "string") checkProjectId(projectId);
  if (name !== undefined) checkText(caller, "name", name);
  checkLiteral(caller, "includeCredentials", includeCredentials, [true, false]);
}

/** Refuses a value that is given and not one of a few: it decides the result's type, or its extent. */
export function checkLiteral(
  caller: string,
  key: string,
  value: unknown,
  literals: readonly unknown[],
): void {
  if (value === undefined || literals.includes(value)) return;
  throw argumentInvalid(
    `${caller} needs a literal ${literals.map((literal) => JSON.stringify(literal)).join(" or ")} as ${key}.`,
  );
}

export function checkText(caller: string, key: string, value: unknown): void {
  if (typeof value === "string" && value !== "") return;
  if (!isPending(value))
    throw argumentInvalid(`${caller} needs a string that is not empty as ${key}.`);
  if (!caller.endsWith("Output") && caller !== "ProjectSnapshot") {
    throw argumentInvalid(`${caller} needs a string as ${key}. ${caller}Output takes Outputs.`);
  }
}

export function argumentInvalid(message: string): ProjectServiceError {
  return new ProjectServiceError("ARGUMENT_INVALID", message);
}
