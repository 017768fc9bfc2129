/* SARIF and Code Quality, for code scanning. It would show accepted findings as open, so they are left out. */
import { hash } from "node:crypto";
import type { Log, Message, ReportingDescriptor, Result } from "sarif";
import { displayJson } from "../../provider/errors/displayText.js";
import { type Finding, findingKey } from "../rules/finding.js";
import type { AuditReport, ReportedFinding, ReportedRule } from "./auditReport.js";
import { findingSentence } from "./sentences.js";

/**
 * Returns the report as SARIF 2.1.0, for the code scanning of GitHub, GitLab and others.
 *
 * Code scanning shows a result only at a file. So each finding is at line 1 of
 * `projects/<projectId>/<environmentId>`, a path that does not exist, which the list of alerts shows.
 *
 * @see https://docs.github.com/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
 */
export function sarifFormat(report: AuditReport): string {
  const { tool, service, scope, rules, createdAt } = report;
  const log: Log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: tool.name,
            semanticVersion: tool.version,
            rules: rules.map(descriptorOf),
          },
        },
        // No automationDetails: GitHub takes its id for the category, although the upload names another one:
        // https://github.com/github/codeql-action/issues/1171
        properties: { service, filters: scope.filters, exclude: scope.exclude },
        invocations: [{ executionSuccessful: true, endTimeUtc: createdAt }],
        results: openFindings(report).map(sarifResult),
      },
    ],
  };
  return `${displayJson(log, 0)}\n`;
}

const severities = { error: "major", warning: "minor", note: "info" } as const;

/**
 * Returns the findings as a Code Quality report of GitLab: a list of issues with the fields that GitLab reads,
 * and with the fingerprints and paths of the SARIF report.
 *
 * @see https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
export function codeQualityFormat(report: AuditReport): string {
  const issues = openFindings(report).map((finding) => ({
    description: findingSentence(finding),
    check_name: finding.rule,
    fingerprint: fingerprintOf(finding),
    severity: severities[finding.level],
    location: { path: findingPath(finding), lines: { begin: 1 } },
  }));
  return `${displayJson(issues, 0)}\n`;
}

function openFindings({ findings }: AuditReport): readonly ReportedFinding[] {
  return findings.filter(({ accepted }) => accepted === undefined);
}

/** Returns the fingerprint of a finding, 64 hexadecimal digits, which stands for its identity. */
export function fingerprintOf(finding: Finding): string {
  return hash("sha256", findingKey(finding));
}

/** Returns a path that does not exist, but that lists of results show. */
function findingPath({ projectId, environmentId }: Finding): string {
  const names = ["projects", projectId, environmentId ?? []].flat();
  return names.map((name) => encodeURIComponent(name.toWellFormed())).join("/");
}

function descriptorOf(rule: ReportedRule): ReportingDescriptor {
  const { name, level, description, reason, remedy } = rule;
  return {
    id: name,
    shortDescription: { text: description },
    fullDescription: { text: reason },
    help: { text: `${description}\n\n${reason}\n\n${remedy}` },
    defaultConfiguration: { level },
  };
}

function sarifResult(finding: ReportedFinding): Result {
  const { rule, level } = finding;
  return {
    ruleId: rule,
    level,
    message: sarifMessage(findingSentence(finding)),
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: findingPath(finding) },
          region: { startLine: 1 },
        },
      },
    ],
    // The only fingerprint that GitHub compares.
    partialFingerprints: {
      primaryLocationLineHash: `${fingerprintOf(finding).slice(0, 32)}:1`,
    },
  };
}

/** A message of SARIF 2.1.0 can contain links, such as `[text](address)` (3.11.6). Texts of the service contain none. */
function sarifMessage(text: string): Message {
  return { text: text.includes("](") ? text.replace(/[\\[\]]/g, "\\$&") : text };
}
