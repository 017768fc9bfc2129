import type { AuditReport } from "./report.js";

/**
 * Returns the report as JSON: an {@link AuditReport} with a `formatVersion`, which grows when a field changes
 * its meaning or disappears. Texts have the values that the service sent.
 */
export function jsonFormat(report: AuditReport): string {
  return `${displayJson({ formatVersion: 1, ...report })}\n`;
}

/**
 * Returns a value as JSON that is safe to show. Escapes characters that move the cursor, change the reading
 * direction or are invisible, and each second sign of `##`, with which commands of CI runners begin.
 *
 * @param indent 0 writes one line, which is smaller. Default 2.
 */
export function displayJson(value: unknown, indent = 2): string {
  const unsafe = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]|(?<=#)#/gu;
  return JSON.stringify(value, undefined, indent).replace(unsafe, (character) =>
    // Above U+FFFF, a character is two units.
    character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}
