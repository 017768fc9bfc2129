import * as pulumi from "@pulumi/pulumi";
import { ProjectServiceError } from "../provider/errors.js";
import { checkProjectId } from "../provider/projectId.js";

/** The arguments that name a project, and what is wanted of it; in Output form, with Inputs. */
export interface ProjectArguments {
  projectId?: pulumi.Input<string> | undefined;
  name?: pulumi.Input<string> | undefined;
  includeCredentials?: boolean | undefined;
}

/** Refuses what is not an object or has other keys than `known`: a typo must not change an answer. */
export function checkKeys(what: string, value: object, known: readonly string[]): void {
  if (typeof value !== "object" || value === null) {
    throw argumentInvalid(`${what} must be an object with ${known.join(", ")}.`);
  }
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  throw argumentInvalid(
    `${what} have no key ${unknown.join(", ")}. ${
      known.length === 0 ? "There are none yet." : `The keys are ${known.join(", ")}.`
    }`,
  );
}

/**
 * Checks the arguments of a function that reads one project, as far as they are known: in Output
 * form once at the call and once more when the Inputs are there.
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
  if (includeCredentials !== undefined && typeof includeCredentials !== "boolean") {
    throw argumentInvalid(`${caller} needs a literal true or false as includeCredentials.`);
  }
}

/** Checks text that is given; an Output or a Promise of it is checked when it is there. */
export function checkText(caller: string, key: string, value: unknown): void {
  if (typeof value === "string" && value !== "") return;
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return;
  throw argumentInvalid(`${caller} needs text as ${key}, and not the empty one.`);
}

function argumentInvalid(message: string): ProjectServiceError {
  return new ProjectServiceError("ARGUMENT_INVALID", message);
}
