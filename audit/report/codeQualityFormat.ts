import { displayJson } from "../../provider/errors/displayText.js";
import { type AuditReport, type FormatOptions, scannedFindings } from "./auditReport.js";
import { findingPath, fingerprintOf } from "./sarifFormat.js";
import { findingSentence } from "./sentences.js";

const severities = { error: "major", warning: "minor", note: "info" } as const;

/**
 * Returns the findings as a Code Quality report of GitLab: a list of issues with the fields that GitLab reads,
 * and with the fingerprints and paths of the SARIF report.
 *
 * The form has no place for accepted findings, so they are left out. With `includeAccepted`, they are issues whose
 * description has the reason.
 *
 * @see https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
export function codeQualityFormat(report: AuditReport, options: FormatOptions): string {
  const issues = scannedFindings(report, options).map((finding) => ({
    description: findingSentence(finding),
    check_name: finding.rule,
    fingerprint: fingerprintOf(finding),
    severity: severities[finding.level],
    location: { path: findingPath(finding), lines: { begin: 1 } },
  }));
  return `${displayJson(issues, 0)}\n`;
}
