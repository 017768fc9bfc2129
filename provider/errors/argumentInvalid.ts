import { ProjectServiceError } from "./projectServiceError.js";

/** Returns an error about a wrong argument, option or file of the user. */
export function argumentInvalid(message: string): ProjectServiceError {
  return new ProjectServiceError("ARGUMENT_INVALID", message);
}
