import { displayJson } from "../../provider/errors/displayText.js";
import { markdownFormat, tableFormat } from "./auditDocument.js";
import { codeQualityFormat } from "./codeQualityFormat.js";
import { htmlFormat } from "./html/htmlFormat.js";
import { junitFormat } from "./junitFormat.js";
import type { AuditReport, FormatOptions } from "./report.js";
import { sarifFormat } from "./sarifFormat.js";

/** The formats of a report, each with the function that returns its text, which ends with a newline. */
export const formats = {
  table: tableFormat,
  // The version grows when a field changes its meaning or disappears. Texts have the values of the service.
  json: (report) => `${displayJson({ formatVersion: 1, ...report })}\n`,
  markdown: markdownFormat,
  sarif: sarifFormat,
  html: htmlFormat,
  junit: junitFormat,
  codequality: codeQualityFormat,
} satisfies Record<string, (report: AuditReport, options: FormatOptions) => string>;

export type FormatName = keyof typeof formats;
