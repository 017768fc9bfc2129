import type { AuditReport } from "../report.js";
import { htmlFormat } from "./html/htmlFormat.js";
import { jsonFormat } from "./jsonFormat.js";
import { markdownFormat } from "./markdownFormat.js";
import { sarifFormat } from "./sarifFormat.js";
import { type Display, tableFormat } from "./tableFormat.js";

const formats = {
  table: tableFormat,
  json: jsonFormat,
  markdown: markdownFormat,
  sarif: sarifFormat,
  html: htmlFormat,
} satisfies Record<string, (report: AuditReport, display: Display) => string>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as FormatName[];

/** The report as text in a format, with a newline at its end. */
export function formatReport(report: AuditReport, format: FormatName, display: Display): string {
  return formats[format](report, display);
}
