/* Selects an environment of a project, and a database of an environment. */
import { displayList, displayText } from "../../provider/errors/displayText.js";
import {
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../../provider/errors/projectServiceError.js";

/** A project or an environment, for the message about its parts. */
interface PartOwner {
  readonly kind: "project" | "environment";
  /** How the message starts: `Project p-1 (shop)`. */
  readonly text: string;
  readonly projectId: string;
  readonly missingFields: readonly string[];
  /** Whether an error may name neither the owner nor its parts. */
  readonly isSecret: boolean;
}

/** Returns the part with a name. Without a name, returns the only part. */
export function selectPart<P>(
  { kind, text, projectId, missingFields, isSecret }: PartOwner,
  partKind: "environment" | "database",
  parts: readonly P[],
  nameOf: (part: P) => string,
  name: string | undefined,
): P {
  const named = name === undefined ? parts : parts.filter((part) => nameOf(part) === name);
  const [first] = named;
  if (first !== undefined && named.length === 1) return first;

  const existing = displayList(parts.map(nameOf));
  const failure = (code: ProjectServiceErrorCode, problem: string) => {
    const place = isSecret ? `The ${kind}` : text;
    return new ProjectServiceError(code, `${place} ${problem}.`, isSecret ? {} : { projectId });
  };
  if (missingFields.includes(`${partKind}s`)) {
    throw failure("RESPONSE_INVALID", `may have ${partKind}s, but the service omits them`);
  }
  if (parts.length === 0) throw failure("NOT_FOUND", `has no ${partKind}s`);
  if (name === undefined) {
    const advice = `Set ${partKind}Name to one of them${isSecret ? "" : `: ${existing}`}`;
    throw failure("ARGUMENT_INVALID", `has ${parts.length} ${partKind}s. ${advice}`);
  }
  if (named.length > 1) {
    const advice = "Use getEnvironment and select one by associationId";
    throw failure("AMBIGUOUS_NAME", `has several ${partKind}s with that name. ${advice}`);
  }
  if (isSecret) throw failure("NOT_FOUND", `has no such ${partKind}`);
  const others = `Its ${partKind}s are ${existing}`;
  throw failure("NOT_FOUND", `has no ${partKind} "${displayText(name)}". ${others}`);
}
