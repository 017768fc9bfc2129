/** Some fields of a value, at every depth. The elements of a list may be incomplete too. */
export type DeepPartial<T> = T extends readonly (infer E)[]
  ? readonly DeepPartial<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T;

/**
 * Returns the defaults, with the given fields instead of their defaults. A field with the value
 * `undefined` is not given.
 *
 * @param place where the fields stand, for the message.
 * @throws TypeError if a given field has no default: the service has no such field.
 */
export function complete<T extends object>(defaults: T, given: object, place: string): T {
  const fields = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [key] of fields) {
    if (Object.hasOwn(defaults, key)) continue;
    throw new TypeError(
      `${place}.${key} is not a field of the service. Use one of these: ${Object.keys(defaults).join(", ")}.`,
    );
  }
  return { ...defaults, ...(Object.fromEntries(fields) as Partial<T>) };
}

/**
 * Returns the value, or an empty object if it is not given.
 *
 * @throws TypeError if the value is not an object.
 */
export function givenObject<T extends object>(value: T | undefined, place: string): Partial<T> {
  if (value === undefined) return {};
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new TypeError(`${place} must be an object.`);
}

/**
 * Returns the list, if it is given.
 *
 * @throws TypeError if the value is not a list of objects.
 */
export function givenList<T extends object>(
  value: readonly T[] | undefined,
  place: string,
): readonly T[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw new TypeError(`${place} must be a list.`);
  const list: readonly T[] = value;
  list.forEach((element, index) => givenObject(element, `${place}[${index}]`));
  return list;
}
