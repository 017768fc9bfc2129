import { didYouMean, displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";

/**
 * Accepts an object with `known` keys only, so that a typo cannot change a result silently. Returns it.
 *
 * @param what names the object in the message of the error, which is `ARGUMENT_INVALID`.
 */
export function checkKeys(
  what: string,
  value: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw argumentInvalid(`${what} must be an object.`);
  }
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return value as Readonly<Record<string, unknown>>;
  const advice = didYouMean(unknown, known, "keys");
  throw argumentInvalid(`${what} cannot contain the key ${displayText(unknown)}. ${advice}.`);
}
