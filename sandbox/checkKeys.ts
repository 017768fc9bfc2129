/**
 * Checks that a value is an object and has no other keys.
 *
 * @param name the function that gets the object, for the message.
 * @param example an argument for the message.
 * @throws TypeError that contains no value of the object.
 */
export function checkKeys(
  value: unknown,
  keys: readonly string[],
  name: string,
  example: string,
): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(`${name} needs an object, such as ${name}(${example}).`);
  }
  const unknownKey = Object.keys(value).find((key) => !keys.includes(key));
  if (unknownKey === undefined) return;
  throw new TypeError(`${name} has no option ${unknownKey}. Its options are ${keys.join(", ")}.`);
}
