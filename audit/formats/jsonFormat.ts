import type { AuditReport } from "../report.js";
import { safeJson } from "./safeJson.js";

/**
 * The report as JSON: an {@link AuditReport} with a `formatVersion`, which grows when a field changes
 * its meaning or goes; new fields may come at any time. Texts are as the service sent them.
 */
export function jsonFormat(report: AuditReport): string {
  return `${safeJson({ formatVersion: 1, ...report })}\n`;
}
