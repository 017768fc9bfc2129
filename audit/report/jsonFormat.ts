import type { AuditReport } from "./report.js";
import { displayJson } from "./displayJson.js";

/**
 * Returns the report as JSON: an {@link AuditReport} with a `formatVersion`. The version grows when a
 * field changes its meaning or disappears. New fields may come at any time. Texts have the values that
 * the service sent.
 */
export function jsonFormat(report: AuditReport): string {
  return `${displayJson({ formatVersion: 1, ...report })}\n`;
}
