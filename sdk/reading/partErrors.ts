import { displayList, displayText } from "../../provider/errors/displayText.js";
import {
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../../provider/errors/projectServiceError.js";

/** A project or an environment, for the message about a part of it. */
export interface Owner {
  readonly kind: "project" | "environment";
  /** How the message starts: `Project p-1 (shop)`. */
  readonly text: string;
  readonly projectId: string;
  /** Whether the arguments are secret. The error then names neither the owner nor its parts. */
  readonly isSecret: boolean;
}

export function partError(
  { kind, text, projectId, isSecret }: Owner,
  code: ProjectServiceErrorCode,
  message: string,
): ProjectServiceError {
  const details = isSecret ? {} : { projectId };
  return new ProjectServiceError(code, `${isSecret ? `The ${kind}` : text} ${message}`, details);
}

/** Returns the error about a part that the owner lacks. The names are those of the parts that it has. */
export function missingPart(
  owner: Owner,
  part: "environment" | "database",
  name: string,
  names: readonly string[],
  isOmitted: boolean,
): ProjectServiceError {
  if (isOmitted) {
    const message = `may have ${part}s, but the service omits them.`;
    return partError(owner, "RESPONSE_INVALID", message);
  }
  if (names.length === 0) return partError(owner, "NOT_FOUND", `has no ${part}s.`);
  const message = owner.isSecret
    ? `has no such ${part}.`
    : `has no ${part} "${displayText(name)}". Its ${part}s are ${displayList(names)}.`;
  return partError(owner, "NOT_FOUND", message);
}
