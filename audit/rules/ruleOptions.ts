import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { displayText } from "../../provider/errors/displayText.js";

/**
 * Refuses options that are not an object or have keys other than `known`. Otherwise a typo could
 * loosen a rule.
 */
export function checkOptions(owner: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw invalidOption(`The options of ${owner} must be an object.`);
  }
  const unknownKeys = Object.keys(options).filter((key) => !known.includes(key));
  if (unknownKeys.length === 0) return;
  throw invalidOption(
    `${owner} has no option ${unknownKeys.map((key) => displayText(key)).join(", ")}. ` +
      (known.length === 0 ? "It has no options." : `Its options are ${known.join(", ")}.`),
  );
}

/** Returns a list of at least one string, none of them empty. */
export function stringsOption(owner: string, key: string, value: unknown): readonly string[] {
  if (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((text) => typeof text === "string" && text !== "")
  ) {
    return [...(value as string[])];
  }
  throw invalidOption(
    `The option ${key} of ${owner} must be a list of at least one string. No string may be empty.`,
  );
}

/** Returns a whole number, 1 or more. */
export function countOption(owner: string, key: string, value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 1) return value as number;
  throw invalidOption(`The option ${key} of ${owner} must be a whole number, 1 or more.`);
}

export function invalidOption(message: string): ProjectServiceError {
  return new ProjectServiceError("ARGUMENT_INVALID", message);
}
