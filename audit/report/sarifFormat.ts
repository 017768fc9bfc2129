import { hash } from "node:crypto";
import type { Log, Message, ReportingDescriptor, Result } from "sarif";
import { displayJson } from "../../provider/errors/displayText.js";
import { type Finding, findingKey } from "../rules/finding.js";
import type { AuditReport, FormatOptions, ReportedFinding, ReportedRule } from "./auditReport.js";
import { findingSentence, staleSentence } from "./sentences.js";

/**
 * Returns the report as SARIF 2.1.0, for the code scanning of GitHub, GitLab and others.
 *
 * Code scanning shows a result only at a file. So each finding is at line 1 of
 * `projects/<projectId>/<environmentId>`, a path that does not exist, which the list of alerts shows.
 *
 * Accepted findings are left out, because GitHub shows suppressed results as open alerts. With `includeAccepted`,
 * they have a suppression.
 *
 * @see https://docs.github.com/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
 */
export function sarifFormat(report: AuditReport, { includeAccepted }: FormatOptions): string {
  const { tool, rules, findings, createdAt, staleAcceptances } = report;
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
        automationDetails: { id: "project-service-audit/" },
        invocations: [
          {
            executionSuccessful: true,
            endTimeUtc: createdAt,
            toolExecutionNotifications: staleAcceptances.map((entry) => ({
              level: "note",
              message: sarifMessage(staleSentence(entry)),
            })),
          },
        ],
        results: findings
          .filter(({ accepted }) => accepted === undefined || includeAccepted)
          .map(sarifResult),
      },
    ],
  };
  return `${displayJson(log, 0)}\n`;
}

/** Returns the fingerprint of a finding, 64 hexadecimal digits, which stands for its identity. */
export function fingerprintOf(finding: Finding): string {
  return hash("sha256", findingKey(finding));
}

/** Returns a path that does not exist, but that lists of results show. */
export function findingPath({ projectId, environmentId }: Finding): string {
  const names = ["projects", projectId, environmentId ?? []].flat();
  return names.map((name) => encodeURIComponent(name.toWellFormed())).join("/");
}

function descriptorOf(rule: ReportedRule): ReportingDescriptor {
  const { name, severity, description, reason, remedy } = rule;
  const help = `${description}\n\n${reason}\n\n${remedy}`;
  return {
    id: name,
    shortDescription: { text: description },
    fullDescription: { text: reason },
    help: { text: help, markdown: help },
    defaultConfiguration: { level: severity },
  };
}

function sarifResult(finding: ReportedFinding): Result {
  const { rule, level, accepted } = finding;
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
    ...(accepted && {
      suppressions: [{ kind: "external", status: "accepted", justification: accepted.reason }],
    }),
  };
}

/** A message of SARIF 2.1.0 can contain links, such as `[text](address)` (3.11.6). Texts of the service contain none. */
function sarifMessage(text: string): Message {
  return { text: text.includes("](") ? text.replace(/[\\[\]]/g, "\\$&") : text };
}
