/**
 * Which of two facts comes first, for `sort`: texts by code units, the same on every machine; false
 * before true. One that is missing comes last, whatever the direction.
 *
 * @param sign 1 for ascending, -1 for descending.
 */
export function compared<T extends string | number | boolean>(
  a: T | undefined,
  b: T | undefined,
  sign: 1 | -1 = 1,
): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return a < b ? -sign : sign;
}
