import type { AuditReport } from "./report.js";
import { htmlFormat } from "./html/htmlFormat.js";
import { jsonFormat } from "./jsonFormat.js";
import { markdownFormat } from "./markdownFormat.js";
import { sarifFormat } from "./sarifFormat.js";
import { tableFormat, type Terminal } from "./tableFormat.js";

const formats = {
  table: tableFormat,
  json: jsonFormat,
  markdown: markdownFormat,
  sarif: sarifFormat,
  html: htmlFormat,
} satisfies Record<string, (report: AuditReport, terminal: Terminal) => string>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as FormatName[];

/** Returns the report as text in the format. The text ends with a newline. */
export function formatReport(report: AuditReport, format: FormatName, terminal: Terminal): string {
  return formats[format](report, terminal);
}
