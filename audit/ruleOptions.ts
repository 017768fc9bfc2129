import { ProjectServiceError } from "../provider/errors.js";
import { shown } from "../provider/shown.js";

/** Refuses options that are no object or have other keys than `known`: a typo must not loosen a rule. */
export function checkOptions(of: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw optionInvalid(`The options of ${of} must be an object.`);
  }
  const others = Object.keys(options).filter((key) => !known.includes(key));
  if (others.length === 0) return;
  throw optionInvalid(
    `${of} has no option ${others.map((key) => shown(key)).join(", ")}. ` +
      (known.length === 0 ? "It has none." : `Its options are ${known.join(", ")}.`),
  );
}

/** A list of at least one text, none of them empty. */
export function textsOption(of: string, key: string, value: unknown): readonly string[] {
  if (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((text) => typeof text === "string" && text !== "")
  ) {
    return [...(value as string[])];
  }
  throw optionInvalid(`${of} needs a list of at least one text, none of them empty, as ${key}.`);
}

/** A whole number, 1 or more. */
export function countOption(of: string, key: string, value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 1) return value as number;
  throw optionInvalid(`${of} needs a whole number, 1 or more, as ${key}.`);
}

export function optionInvalid(message: string): ProjectServiceError {
  return new ProjectServiceError("ARGUMENT_INVALID", message);
}
