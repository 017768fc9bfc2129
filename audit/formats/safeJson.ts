/**
 * A value as JSON for people and programs. Characters that could move the cursor, change the reading
 * direction or not be seen are in JSON's own escapes: the value that is parsed from it is the same.
 */
export function safeJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) =>
      Array.from(
        { length: character.length },
        (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
      ).join(""),
  );
}
