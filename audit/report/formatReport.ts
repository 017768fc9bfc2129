import type { AuditReport, FormatOptions } from "./report.js";
import { markdownFormat, tableFormat } from "./auditDocument.js";
import { codeQualityFormat } from "./codeQualityFormat.js";
import { htmlFormat } from "./html/htmlFormat.js";
import { jsonFormat } from "./jsonFormat.js";
import { junitFormat } from "./junitFormat.js";
import { sarifFormat } from "./sarifFormat.js";

const formats = {
  table: tableFormat,
  json: jsonFormat,
  markdown: markdownFormat,
  sarif: sarifFormat,
  html: htmlFormat,
  junit: junitFormat,
  codequality: codeQualityFormat,
} satisfies Record<string, (report: AuditReport, options: FormatOptions) => string>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as FormatName[];

/** Returns the report as text in the format. The text ends with a newline. */
export function formatReport(
  report: AuditReport,
  format: FormatName,
  options: FormatOptions,
): string {
  return formats[format](report, options);
}
