import { displayJson } from "../../provider/errors/displayText.js";
import { markdownFormat, tableFormat } from "./auditDocument.js";
import type { AuditReport } from "./auditReport.js";
import { codeQualityFormat, sarifFormat } from "./codeScanning.js";
import { htmlFormat } from "./html/htmlFormat.js";
import { junitFormat } from "./junitFormat.js";

interface Format {
  /**
   * Returns the text of a report, which ends with a newline. Names, ids, reasons and owners are raw: show them with
   * displayText. Other texts of a finding are safe.
   */
  readonly write: (report: AuditReport) => string;
  /** The endings of files that choose the format. The first one in the table that fits a name counts. */
  readonly endings: readonly string[];
  readonly use: string;
}

/** `audit --help` shows this table. */
export const formats = {
  table: { write: tableFormat, endings: [".txt"], use: "a terminal" },
  markdown: {
    write: markdownFormat,
    endings: [".md"],
    use: "a comment, or `$GITHUB_STEP_SUMMARY`",
  },
  html: { write: htmlFormat, endings: [".html"], use: "people" },
  sarif: { write: sarifFormat, endings: [".sarif", "sarif.json"], use: "code scanning on GitHub" },
  junit: { write: junitFormat, endings: ["junit.xml"], use: "test reports of CI servers" },
  codequality: {
    write: codeQualityFormat,
    endings: ["codequality.json"],
    use: "GitLab's Code Quality report",
  },
  json: {
    write: jsonFormat,
    endings: [".json"],
    use: "programs: `schemas/audit-report.schema.json`",
  },
} satisfies Record<string, Format>;

export type AuditFormat = keyof typeof formats;

/** The version grows when a field changes its meaning or disappears. Texts have the values of the service. */
function jsonFormat(report: AuditReport): string {
  return `${displayJson({ formatVersion: 1, ...report })}\n`;
}
