/**
 * Returns a value as JSON that is safe to show. Characters that move the cursor, change the reading
 * direction or are invisible become JSON escapes, so a parser reads the same value.
 */
export function displayJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) =>
      Array.from(
        { length: character.length },
        (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
      ).join(""),
  );
}
