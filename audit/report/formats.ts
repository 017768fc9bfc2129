import { displayJson } from "../../provider/errors/displayText.js";
import { markdownFormat, tableFormat } from "./auditDocument.js";
import { htmlFormat } from "./html/htmlFormat.js";
import { junitFormat } from "./junitFormat.js";
import type { AuditReport, FormatOptions } from "./auditReport.js";
import { findingPath, fingerprintOf, sarifFormat } from "./sarifFormat.js";
import { findingSentence } from "./sentences.js";

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

export type AuditFormat = keyof typeof formats;

/** The endings of files that choose a format. The first one that fits a name counts. */
export const formatEndings = {
  junit: "junit.xml",
  codequality: ".codequality.json",
  html: ".html",
  sarif: [".sarif", ".sarif.json"],
  json: ".json",
  markdown: ".md",
  table: ".txt",
} as const satisfies Record<AuditFormat, unknown>;

const severities = { error: "major", warning: "minor", note: "info" } as const;

/**
 * Returns the findings as a Code Quality report of GitLab: a list of issues with the fields that GitLab reads,
 * and with the fingerprints and paths of the SARIF report.
 *
 * The form has no place for accepted findings. They are issues whose description has the reason, and
 * `omitAccepted` leaves them out.
 */
function codeQualityFormat({ findings }: AuditReport, options: FormatOptions): string {
  const shown = findings.filter(({ accepted }) => accepted === undefined || !options.omitAccepted);
  const issues = shown.map((finding) => ({
    description: findingSentence(finding),
    check_name: finding.rule,
    fingerprint: fingerprintOf(finding),
    severity: severities[finding.level],
    location: { path: findingPath(finding), lines: { begin: 1 } },
  }));
  return `${displayJson(issues, 0)}\n`;
}
