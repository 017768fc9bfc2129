import { displayJson } from "../../provider/errors/displayText.js";
import { type AuditReport, scannedFindings } from "./auditReport.js";
import { findingPath, fingerprintOf } from "./sarifFormat.js";
import { findingSentence } from "./sentences.js";

const severities = { error: "major", warning: "minor", note: "info" } as const;

/**
 * Returns the findings as a Code Quality report of GitLab: a list of issues with the fields that GitLab reads,
 * and with the fingerprints and paths of the SARIF report.
 *
 * @see https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
export function codeQualityFormat(report: AuditReport): string {
  const issues = scannedFindings(report).map((finding) => ({
    description: findingSentence(finding),
    check_name: finding.rule,
    fingerprint: fingerprintOf(finding),
    severity: severities[finding.level],
    location: { path: findingPath(finding), lines: { begin: 1 } },
  }));
  return `${displayJson(issues, 0)}\n`;
}
