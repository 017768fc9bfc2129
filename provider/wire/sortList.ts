import { compareValues } from "../model/compareValues.js";

export type Compare<T> = (a: T, b: T) => number;

const maxShortList = 16;

/**
 * Sorts a list in place. Most lists have two or three elements. For each of these, the built-in method
 * would take a microsecond, which is ten times as long.
 */
export function sortList<T>(list: T[], compare: Compare<T>): void {
  if (list.length > maxShortList) return void list.sort(compare);
  for (let end = 1; end < list.length; end++) {
    const element = list[end] as T;
    let index = end;
    for (; index > 0 && compare(list[index - 1] as T, element) > 0; index--) {
      list[index] = list[index - 1] as T;
    }
    list[index] = element;
  }
}

/** Compares two strings as their JSON texts would. */
export function compareJsonTexts(a: string, b: string): number {
  let index = 0;
  // Past the end of a text there is NaN, which equals nothing.
  while (a.charCodeAt(index) === b.charCodeAt(index)) index++;
  const codeOfA = a.charCodeAt(index);
  const codeOfB = b.charCodeAt(index);
  if (codeOfA > quote && codeOfB > quote) return codeOfA - codeOfB;
  return compareValues(JSON.stringify(a), JSON.stringify(b));
}

/**
 * The character that ends a JSON text. JSON keeps the order of the characters after it: of these, it
 * escapes only the backslash, by a backslash before it, and unpaired surrogates, which no response has.
 */
const quote = 0x22;
