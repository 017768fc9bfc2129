import type { AuditReport } from "./report.js";

/**
 * Returns the report as JSON: an {@link AuditReport} with a `formatVersion`. The version grows when a
 * field changes its meaning or disappears. New fields may come at any time. Texts have the values that
 * the service sent.
 */
export function jsonFormat(report: AuditReport): string {
  return `${displayJson({ formatVersion: 1, ...report })}\n`;
}

/**
 * Returns a value as JSON that is safe to show. Characters that move the cursor, change the reading
 * direction or are invisible become JSON escapes. So does each second sign of `##`, with which commands of
 * CI runners begin anywhere in a line. A parser reads the same value.
 *
 * @param indent 0 writes one line, which is smaller. Default 2.
 */
export function displayJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, undefined, indent).replace(
    /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]|(?<=#)#/gu,
    (character) =>
      Array.from(
        { length: character.length },
        (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
      ).join(""),
  );
}
