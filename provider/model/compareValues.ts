/**
 * Compares two values for `sort`. Text is compared by code units, so that the order is the same on
 * every machine. False comes before true. A missing value comes last in both directions.
 *
 * @param sign 1 for ascending, -1 for descending.
 */
export function compareValues<T extends string | number | boolean>(
  a: T | undefined,
  b: T | undefined,
  sign: 1 | -1 = 1,
): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return a < b ? -sign : sign;
}
