import { type Level, sentenceOf } from "../rules/finding.js";
import type { ReportedFinding } from "./acceptance.js";
import { displayJson } from "./jsonFormat.js";
import type { AuditReport } from "./report.js";
import { fingerprintOf, pathOf } from "./sarifFormat.js";
import { acceptanceSentence, subjectSentence } from "./sentences.js";

/** An issue of GitLab's Code Quality report, with the fields that GitLab reads. */
interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: (typeof severities)[Level];
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const severities = { error: "major", warning: "minor", note: "info" } as const;

/**
 * Returns the findings as a Code Quality report of GitLab: a list of issues, with the fingerprints and
 * paths of the SARIF report.
 *
 * The form has no place for accepted findings. They are issues whose description has the reason, and
 * `omitAccepted` leaves them out.
 */
export function codeQualityFormat(
  { findings }: AuditReport,
  { omitAccepted }: { readonly omitAccepted: boolean },
): string {
  const shown = omitAccepted ? findings.filter(({ accepted }) => accepted === undefined) : findings;
  return `${displayJson(shown.map(issueOf), 0)}\n`;
}

function issueOf(finding: ReportedFinding): Issue {
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
