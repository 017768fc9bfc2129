import { ProjectServiceError } from "../provider/errors.js";

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

export interface ProjectArguments {
  projectId?: string | undefined;
  name?: string | undefined;
  includeCredentials?: boolean | undefined;
}

/** Checks that exactly one of `projectId` and `name` is given. */
export function checkProjectArguments(caller: string, args: ProjectArguments): void {
  const { projectId, name, includeCredentials } = args;
  if ((projectId === undefined) === (name === undefined)) {
    throw argumentInvalid(`${caller} needs exactly one of projectId and name.`);
  }
  checkText(caller, "projectId", projectId);
  checkText(caller, "name", name);
  if (includeCredentials !== undefined && typeof includeCredentials !== "boolean") {
    throw argumentInvalid(`${caller} needs true or false as includeCredentials.`);
  }
}

export function checkText(caller: string, key: string, value: unknown): void {
  if (value === undefined || (typeof value === "string" && value !== "")) return;
  throw argumentInvalid(`${caller} needs a string that is not empty as ${key}.`);
}

export function argumentInvalid(message: string): ProjectServiceError {
  return new ProjectServiceError("ARGUMENT_INVALID", message);
}
