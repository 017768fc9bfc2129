import { sentenceOf } from "../rules/finding.js";
import type { ReportedFinding } from "./acceptance.js";
import { displayJson } from "./jsonFormat.js";
import type { AuditReport, FormatOptions } from "./report.js";
import { fingerprintOf, pathOf } from "./sarifFormat.js";
import { acceptanceSentence, subjectSentence } from "./sentences.js";

const severities = { error: "major", warning: "minor", note: "info" } as const;

/**
 * Returns the findings as a Code Quality report of GitLab: a list of issues, with the fingerprints and
 * paths of the SARIF report.
 *
 * The form has no place for accepted findings. They are issues whose description has the reason, and
 * `omitAccepted` leaves them out.
 */
export function codeQualityFormat(report: AuditReport, { omitAccepted }: FormatOptions): string {
  const { findings } = report;
  const shown = omitAccepted ? findings.filter(({ accepted }) => accepted === undefined) : findings;
  return `${displayJson(shown.map(issueOf), 0)}\n`;
}

/** Returns an issue with the fields that GitLab reads. */
function issueOf(finding: ReportedFinding) {
  return {
    description: [
      sentenceOf(finding),
      ...subjectSentence(finding),
      ...acceptanceSentence(finding),
    ].join(" "),
    check_name: finding.rule,
    fingerprint: fingerprintOf(finding),
    severity: severities[finding.level],
    location: { path: pathOf(finding), lines: { begin: 1 } },
  };
}
